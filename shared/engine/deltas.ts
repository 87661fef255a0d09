import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { deltaBounds } from './difficulty';
import { clamp } from './engine-state';

/**
 * A part of the model's answer that was not applied. `name` is only ever an id that the scenario declares (null for
 * anything else), so that a rejection can be logged without logging what the model wrote.
 */
export interface Rejection {
  reason: 'unknown_variable' | 'needs_move' | 'needs_proof';
  name: string | null;
}

export interface AppliedDeltas {
  values: Map<string, number>;
  rejected: Rejection[];
}

/**
 * Step 6 of the turn pipeline: unknown variables are rejected, each change is clamped to what the variable may move in
 * a turn, and each result to its bounds. What only moves of the player can earn, the model cannot give.
 */
export function applyDeltas(
  content: ScenarioContent,
  difficulty: Difficulty,
  before: Readonly<Record<string, number>>,
  proposed: Readonly<Record<string, number>>,
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
    const bounds = deltaBounds(content, difficulty, name);
    if ((delta > 0 ? bounds.up : bounds.down) === 0 && definition.max_delta_per_turn > 0) {
      rejected.push({ reason: 'needs_move', name });
      continue;
    }
    const current = values.get(name) ?? definition.default;
    values.set(name, clamp(current + clamp(delta, -bounds.down, bounds.up), definition.min, definition.max));
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
