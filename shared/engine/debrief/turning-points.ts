import type { Condition, Difficulty, ScenarioContent, TurningPoint } from '@parley/shared/contracts';
import { debriefWords } from './debrief-words';
import { variableName } from '../variable-name';
import { startState, type StoredEventLike } from '../engine-state';

/** At most this many changes of state are called turning points; events and safety always are. */
const MAX_STATE_CHANGES = 5;
/** A turn that moved less than this share of a variable's range, in sum and weighted, turned nothing. */
const SIGNIFICANT = 0.12;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "trust rose from 50 to 62 and patience fell from 45 to 40"; `values` are those after the change. */
export function changeInWords(
  delta: Readonly<Record<string, number>>,
  values: Readonly<Record<string, number>>,
  language: string,
): string {
  const words = debriefWords(language);
  const parts = Object.entries(delta)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .slice(0, 3)
    .map(([name, change]) => {
      const after = values[name] ?? 0;
      return words.changed(variableName(name, language), after - change, after);
    });
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} ${words.and} ${parts.at(-1) ?? ''}` : (parts[0] ?? '');
}

/** How near a value is to a threshold of some ending, from 0 (far) to 1 (at it or beyond). */
function nearness(content: ScenarioContent, variable: string, value: number): number {
  const definition = content.variables[variable];
  if (!definition) return 0;
  const range = Math.max(1, definition.max - definition.min);
  const near = (condition: Condition): number => {
    if (condition.type === 'variable_above' && condition.variable === variable) {
      return 1 - Math.max(0, condition.threshold + 1 - value) / range;
    }
    if (condition.type === 'variable_below' && condition.variable === variable) {
      return 1 - Math.max(0, value - condition.threshold + 1) / range;
    }
    return 0;
  };
  return Math.max(0, ...content.endings.flatMap((ending) => ending.when.map(near)));
}

/** How much a change matters: its share of each variable's range, up to doubled near a threshold of an ending. */
export function changeWeight(
  content: ScenarioContent,
  delta: Readonly<Record<string, number>>,
  values: Readonly<Record<string, number>>,
): number {
  return Object.entries(delta).reduce((sum, [name, change]) => {
    const definition = Object.hasOwn(content.variables, name) ? content.variables[name] : undefined;
    if (!definition) return sum;
    const share = Math.abs(change) / Math.max(1, definition.max - definition.min);
    return sum + share * (1 + nearness(content, name, values[name] ?? definition.default));
  }, 0);
}

/**
 * The turns at which a session turned (docs/interface.md, Turning points): its weightiest changes of state, the events
 * that fired and the flags that were raised for the first time (moves are the player's daily bread and are not), and
 * what safety did. In the order of the talk; `turn` is the character's turn that shows it.
 */
export function turningPoints(content: ScenarioContent, events: readonly StoredEventLike[]): TurningPoint[] {
  const words = debriefWords(content.language);
  const points: TurningPoint[] = [];
  const changes: { point: TurningPoint; weight: number }[] = [];
  const moves = new Set(content.moves.map((move) => move.id));
  const raised = new Set<string>();
  const deltas = new Map<number, Record<string, number>>();
  for (const event of events) {
    if (event.kind === 'state_delta' && event.turn_index !== null) deltas.set(event.turn_index, event.payload.delta);
  }
  for (const event of events) {
    const turn = event.turn_index;
    if (turn === null || turn < 1) continue;
    const own = deltas.get(turn) ?? {};
    if (event.kind === 'state_delta') {
      const { delta, state_vars } = event.payload;
      const weight = changeWeight(content, delta, state_vars);
      const description = `${capitalised(changeInWords(delta, state_vars, content.language))}.`;
      if (weight >= SIGNIFICANT)
        changes.push({ weight, point: { turn, kind: 'state_change', description, deltas: delta } });
    } else if (event.kind === 'scenario_event') {
      const description = event.payload.narration ?? words.somethingChanged;
      points.push({ turn, kind: 'event_flag', description, deltas: own });
    } else if (event.kind === 'npc_turn') {
      for (const flag of event.payload.event_flags) {
        if (moves.has(flag) || raised.has(flag)) continue;
        raised.add(flag);
        // What a flag means is written for the model; the player reads only what the author wrote for players.
        const shown = Object.hasOwn(content.flags, flag) ? (content.flags[flag]?.shown ?? null) : null;
        points.push({
          turn,
          kind: 'event_flag',
          description: shown ?? words.changedTheTalk,
          deltas: own,
        });
      }
    } else if (event.kind === 'safety_redirect') {
      points.push({ turn, kind: 'safety', description: words.ledBack, deltas: own });
    } else if (event.kind === 'safety_stop') {
      points.push({ turn, kind: 'safety', description: words.stoppedForSafety, deltas: own });
    }
  }
  const weightiest = changes
    .sort((one, other) => other.weight - one.weight || one.point.turn - other.point.turn)
    .slice(0, MAX_STATE_CHANGES)
    .map((change) => change.point);
  return [...points, ...weightiest].sort((one, other) => one.turn - other.turn);
}

/** The variables after each turn of the character, the opening included. */
export function stateSeries(
  content: ScenarioContent,
  difficulty: Difficulty,
  events: readonly StoredEventLike[],
): { turn: number; state_vars: Record<string, number> }[] {
  return events.flatMap((event) => {
    if (event.kind === 'npc_opening') {
      return [{ turn: event.turn_index ?? 1, state_vars: startState(content, difficulty).state_vars }];
    }
    if (event.kind !== 'state_delta' || event.turn_index === null) return [];
    return [{ turn: event.turn_index, state_vars: event.payload.state_vars }];
  });
}
