import type { Difficulty, LineJudgement, ScenarioContent } from '@parley/shared/contracts';
import { deltaBounds, favourOf } from '@parley/shared/engine';

/** What a scripted actor answers to a line, beside its words. */
export interface ActorsAnswer {
  readonly state_delta: Record<string, number>;
  readonly event_flags: string[];
}

/** A way of playing the character: how it sees what the player did. */
export type Actor = (content: ScenarioContent, difficulty: Difficulty, line: LineJudgement) => ActorsAnswer;

/** The same share of what each variable may move, in the player's favour (above 0) or against (below). */
function moved(content: ScenarioContent, difficulty: Difficulty, share: number): Record<string, number> {
  return Object.fromEntries(
    Object.keys(content.variables).map((name) => {
      const { up, down } = deltaBounds(content, difficulty, name);
      const isUp = (favourOf(content, name) === 'up') === share > 0;
      return [name, Math.round(Math.abs(share) * (isUp ? up : -down)) || 0];
    }),
  );
}

const idsOf = (ones: readonly { readonly id: string }[]): string[] => ones.map(({ id }) => id);

/** Names what the words show and is moved a little by it; raises flags that the words show. */
const fair: Actor = (content, difficulty, line) => ({
  state_delta: moved(content, difficulty, line.flags.length > 0 ? -0.3 : line.moves.length > 0 ? 0.2 : -0.1),
  event_flags: [...idsOf(line.moves), ...idsOf(line.flags)],
});

/** Likes everything: names every move, raises everything as far as it goes, sees no flag. */
const flattering: Actor = (content, difficulty) => ({
  state_delta: moved(content, difficulty, 1),
  event_flags: content.moves.map(({ id }) => id),
});

/** Likes nothing: names no move, every flag, and lowers everything as far as it goes. */
const sour: Actor = (content, difficulty) => ({
  state_delta: moved(content, difficulty, -1),
  event_flags: Object.keys(content.flags),
});

export const ACTORS: Readonly<Record<string, Actor>> = { fair, flattering, sour };
