import type { Difficulty, ScenarioContent, TalkStart } from '@parley/shared/contracts';
import { clamp, openSession, type OpeningOutcome } from '@parley/shared/engine';

/** A talk that begins in a state that somebody has set, instead of at the opening; values are kept inside their bounds. */
export function beginAt(
  content: ScenarioContent,
  difficulty: Difficulty,
  start: TalkStart | undefined,
): OpeningOutcome {
  const opening = openSession(content, difficulty);
  if (start === undefined) return opening;
  const { state } = opening;
  const given = new Map(Object.entries(start.state_vars ?? {}));
  const values = Object.entries(content.variables).map(([name, { min, max }]) => {
    const value = given.get(name) ?? state.state_vars[name] ?? min;
    return [name, clamp(value, min, max)] as const;
  });
  const flags = [...new Set(start.flags)];
  const known = (ids: readonly { readonly id: string }[]): string[] =>
    flags.filter((flag) => ids.some(({ id }) => id === flag));
  const lines = start.line ?? 0;
  return {
    ...opening,
    state: {
      ...state,
      state_vars: Object.fromEntries(values),
      flags,
      fired_events: known(content.events),
      move_counts: Object.fromEntries(known(content.moves).map((move) => [move, 1])),
      player_turns: lines,
      turn_index: 1 + 2 * lines,
    },
  };
}

/** Names of a start that the scenario does not have: variables and flags. */
export function unknownInStart(content: ScenarioContent, start: TalkStart | undefined) {
  const flags = new Set([
    ...Object.keys(content.flags),
    ...content.moves.map(({ id }) => id),
    ...content.events.map(({ id }) => id),
  ]);
  return {
    variables: Object.keys(start?.state_vars ?? {}).filter((name) => !Object.hasOwn(content.variables, name)),
    flags: (start?.flags ?? []).filter((flag) => !flags.has(flag)),
  };
}
