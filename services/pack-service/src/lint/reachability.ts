import type { Condition, Difficulty, ScenarioContent } from '@parley/shared/contracts';
import {
  allHold,
  allowedDifficulties,
  deltaBounds,
  favourOf,
  scaledForDifficulty,
  startState,
} from '@parley/shared/engine';

/**
 * The smallest number of player turns after which conditions can hold, were every turn as good as the bounds allow. It is
 * a lower bound: what it calls unreachable is unreachable, whatever the model answers.
 */
export class Reachability {
  private readonly start: Record<string, number>;
  private readonly events = new Map<string, number>();
  private readonly visiting = new Set<string>();

  constructor(
    private readonly content: ScenarioContent,
    private readonly difficulty: Difficulty,
  ) {
    this.start = startState(content, difficulty).state_vars;
  }

  holdsAtStart(when: readonly Condition[]): boolean {
    return allHold(when, { value: (name) => this.start[name], hasFlag: () => false, playerTurns: 0 });
  }

  turnsToEvent(id: string): number {
    const known = this.events.get(id);
    if (known !== undefined) return known;
    const event = this.content.events.find((one) => one.id === id);
    // An event that waits for itself, over whatever detour, never comes.
    if (event === undefined || this.visiting.has(id)) return Infinity;
    this.visiting.add(id);
    const turns = this.turnsTo(event.when);
    this.visiting.delete(id);
    this.events.set(id, turns);
    return turns;
  }

  turnsTo(when: readonly Condition[]): number {
    let turns = 1;
    const above = new Map<string, number>();
    const below = new Map<string, number>();
    for (const condition of when) {
      if (condition.type === 'max_turns') turns = Math.max(turns, condition.value);
      else if (condition.type === 'flag') {
        const raisedByEngine = this.content.events.some((event) => event.id === condition.flag_id);
        if (raisedByEngine) turns = Math.max(turns, this.turnsToEvent(condition.flag_id));
      } else if (condition.type === 'line') turns = Math.max(turns, condition.value);
      else if (condition.type === 'no_flag') continue;
      else if (condition.type === 'variable_above')
        above.set(
          condition.variable,
          Math.max(above.get(condition.variable) ?? -Infinity, Math.floor(condition.threshold) + 1),
        );
      else
        below.set(
          condition.variable,
          Math.min(below.get(condition.variable) ?? Infinity, Math.ceil(condition.threshold) - 1),
        );
    }
    for (const variable of new Set([...above.keys(), ...below.keys()]))
      turns = Math.max(
        turns,
        this.turnsToRange(variable, above.get(variable) ?? -Infinity, below.get(variable) ?? Infinity),
      );
    return turns;
  }

  /** Why conditions cannot hold within `limit` turns, in words; empty when they can, or when a name is unknown. */
  shortfalls(when: readonly Condition[], limit: number): string[] {
    return when.flatMap((condition) => {
      if (this.turnsTo([condition]) <= limit) return [];
      switch (condition.type) {
        case 'max_turns':
          return [`it waits for turn ${condition.value}`];
        case 'line':
          return [`it waits for line ${condition.value}`];
        case 'no_flag':
          return [];
        case 'flag':
          return [`it waits for the event ${condition.flag_id}, which cannot fire by then`];
        case 'variable_above':
        case 'variable_below': {
          const { type, variable, threshold } = condition;
          const up = type === 'variable_above';
          const furthest = this.furthest(variable, up, limit);
          if (furthest === null) return [];
          return [
            up
              ? `${variable} comes to at most ${furthest} in ${limit} turns, and it needs above ${threshold}`
              : `${variable} comes down to ${furthest} at the lowest in ${limit} turns, and it needs below ${threshold}`,
          ];
        }
      }
    });
  }

  /** The most that the model, the moves and the events can move a variable one way: in each turn, and once in a session. */
  private pace(variable: string, up: boolean): { eachTurn: number; once: number } {
    let once = 0;
    const bounds = deltaBounds(this.content, this.difficulty, variable);
    let eachTurn = up ? bounds.up : bounds.down;
    // A line may make every move; how often each counts again is the move's own rule.
    for (const move of this.content.moves) {
      const effect = Object.hasOwn(move.effect, variable) ? (move.effect[variable] ?? 0) : 0;
      if (effect === 0 || effect > 0 !== up) continue;
      const points = Math.abs(
        scaledForDifficulty(this.content, this.difficulty, effect, favourOf(this.content, variable)),
      );
      if (move.repeat === 'always') eachTurn += points;
      else once += move.repeat === 'once' ? points : 2 * points;
    }
    for (const event of this.content.events) {
      const effect = Object.hasOwn(event.effects, variable) ? (event.effects[variable] ?? 0) : 0;
      const helps = up ? Math.max(0, effect) : Math.max(0, -effect);
      if (event.repeat) eachTurn += helps;
      else once += helps;
    }
    return { eachTurn, once };
  }

  private furthest(variable: string, up: boolean, turns: number): number | null {
    const definition = Object.hasOwn(this.content.variables, variable) ? this.content.variables[variable] : undefined;
    if (definition === undefined) return null;
    const { eachTurn, once } = this.pace(variable, up);
    const way = eachTurn * turns + once;
    const start = this.start[variable] ?? definition.default;
    return up ? Math.min(definition.max, start + way) : Math.max(definition.min, start - way);
  }

  private turnsToRange(variable: string, lowest: number, highest: number): number {
    const definition = Object.hasOwn(this.content.variables, variable) ? this.content.variables[variable] : undefined;
    if (definition === undefined) return Infinity;
    const from = Math.max(lowest, definition.min);
    const to = Math.min(highest, definition.max);
    if (from > to) return Infinity;
    const start = this.start[variable] ?? definition.default;
    const missing = Math.max(0, from - start, start - to);
    if (missing === 0) return 1;
    const { eachTurn, once } = this.pace(variable, start < from);
    if (missing <= once) return 1;
    return eachTurn === 0 ? Infinity : Math.ceil((missing - once) / eachTurn);
  }
}

/** A scenario at one of its presets. */
export interface World {
  readonly difficulty: Difficulty;
  readonly reach: Reachability;
}

/** The scenario at each preset that a player may choose. */
export const worldsOf = (content: ScenarioContent): World[] =>
  (content.difficulty.declared ? allowedDifficulties(content) : [content.difficulty.default]).map((difficulty) => ({
    difficulty,
    reach: new Reachability(content, difficulty),
  }));

/** Why something cannot come, told once for all presets of which the same is true. */
export function because(
  worlds: readonly World[],
  never: readonly Difficulty[],
  when: readonly Condition[],
  limit: number,
) {
  const reasons = new Map<string, Difficulty[]>();
  for (const { difficulty, reach } of worlds) {
    const reason = reach.shortfalls(when, limit).join(', and ');
    if (never.includes(difficulty) && reason !== '') reasons.set(reason, [...(reasons.get(reason) ?? []), difficulty]);
  }
  const told = [...reasons].map(([reason, presets]) =>
    reasons.size === 1 ? reason : `${presets.join(', ')}: ${reason}`,
  );
  return told.length === 0 ? '.' : `: ${told.join('; ')}.`;
}

/** What asks for an unknown variable has its finding: nothing can be proved of it. */
export const variablesExist = (content: ScenarioContent, when: readonly Condition[]): boolean =>
  when.every((condition) => !('variable' in condition) || Object.hasOwn(content.variables, condition.variable));

export const listOf = (presets: readonly Difficulty[], all: readonly Difficulty[], declared: boolean): string =>
  !declared || presets.length === all.length ? '' : ` with ${presets.join(', ')}`;
