import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { effectiveMaxDelta } from './difficulty';
import { clamp } from './engine-state';

/**
 * A part of the model's answer that was not applied. `name` is only ever an id that the scenario declares (null for
 * anything else), so that a rejection can be logged without logging what the model wrote.
 */
export interface Rejection {
  reason: 'unknown_variable' | 'needs_move';
  name: string | null;
}

export interface AppliedDeltas {
  values: Map<string, number>;
  rejected: Rejection[];
}

/**
 * Whether a change needs a named move and has none: when some move's effect goes the same way on that variable, the
 * change counts only in a turn whose flags name such a move (pack format, `moves`).
 */
function lacksMove(content: ScenarioContent, variable: string, delta: number, named: ReadonlySet<string>): boolean {
  const sameWay = content.moves.filter((move) => {
    const effect = Object.hasOwn(move.effect, variable) ? (move.effect[variable] ?? 0) : 0;
    return effect !== 0 && effect > 0 === delta > 0;
  });
  return sameWay.length > 0 && !sameWay.some((move) => named.has(move.id));
}

/**
 * Step 6 of the turn pipeline: unknown variables are rejected, each change is clamped to what the variable may move in
 * a turn, and each result to its bounds.
 *
 * @param named flags that the model raised in this turn (moves among them).
 */
export function applyDeltas(
  content: ScenarioContent,
  difficulty: Difficulty,
  before: Readonly<Record<string, number>>,
  proposed: Readonly<Record<string, number>>,
  named: ReadonlySet<string>,
): AppliedDeltas {
  const values = new Map(Object.entries(before));
  const rejected: Rejection[] = [];
  for (const [name, delta] of Object.entries(proposed)) {
    const definition = Object.hasOwn(content.variables, name) ? content.variables[name] : undefined;
    if (!definition) {
      rejected.push({ reason: 'unknown_variable', name: null });
      continue;
    }
    if (delta === 0) continue;
    if (lacksMove(content, name, delta, named)) {
      rejected.push({ reason: 'needs_move', name });
      continue;
    }
    const bound = effectiveMaxDelta(content, difficulty, name);
    const current = values.get(name) ?? definition.default;
    values.set(name, clamp(current + clamp(delta, -bound, bound), definition.min, definition.max));
  }
  return { values, rejected };
}

/** An event's effects are the author's own numbers: they are kept to the variable's bounds, not to a turn's measure. */
export function applyEffects(
  content: ScenarioContent,
  values: Map<string, number>,
  effects: Readonly<Record<string, number>>,
): void {
  for (const [name, delta] of Object.entries(effects)) {
    const definition = Object.hasOwn(content.variables, name) ? content.variables[name] : undefined;
    if (!definition) continue;
    values.set(name, clamp((values.get(name) ?? definition.default) + delta, definition.min, definition.max));
  }
}

/** What changed between two sets of values; zero changes are left out. */
export function changesBetween(
  before: Readonly<Record<string, number>>,
  after: ReadonlyMap<string, number>,
): Record<string, number> {
  const changes: [string, number][] = [];
  for (const [name, value] of after) {
    const difference = value - (Object.hasOwn(before, name) ? (before[name] ?? 0) : 0);
    if (difference !== 0) changes.push([name, difference]);
  }
  return Object.fromEntries(changes);
}
