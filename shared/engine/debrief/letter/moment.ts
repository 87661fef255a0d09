import type { Debrief } from '@parley/shared/contracts';
import type { StoredEventLike } from '../../engine-state';
import { favourOf } from '../../vocabulary';
import { playerLines, type LetterInput } from './letter-input';
import { metChecks, openChecks, type RankedCheck } from './ranked-checks';

export type Moment = NonNullable<Debrief['moment']>;

/** A character loses a point or two of patience with nearly every line; so many points decide nothing. */
const LEAST_LOSS = 5;

/** What the variables gained and lost in the answer to a player's turn, in points that are good for the player. */
function gainAfter(input: LetterInput, turn: number): number {
  const event = input.events.find(
    (one): one is Extract<StoredEventLike, { kind: 'state_delta' }> =>
      one.kind === 'state_delta' && one.turn_index === turn + 1,
  );
  return Object.entries(event?.payload.delta ?? {}).reduce(
    (sum, [name, change]) => sum + (favourOf(input.content, name) === 'up' ? change : -change),
    0,
  );
}

/** Whether anything that the player said was followed by a change, for better or worse. */
export const anythingMoved = (input: LetterInput): boolean =>
  input.events.some(
    (event) => event.kind === 'state_delta' && Object.values(event.payload.delta).some((change) => change !== 0),
  );

/** The author's word on the ending. */
const endingNote = ({ content, ending }: Pick<LetterInput, 'content' | 'ending'>): string | null =>
  content.endings.find(({ id }) => id !== null && id === ending.id)?.debrief_note ?? null;

/**
 * The line that decided most: where a fault happened; else, in a talk that did not reach its goal, after which the
 * character drew back furthest, when that was more than a trifle; else where most was won. null when nothing was said or judged, and when nothing that was
 * said moved anything.
 *
 * @param ranked by weight alone: the moment does not ask what the learner practises.
 */
export function decisiveMoment(input: LetterInput, ranked: readonly RankedCheck[]): Moment | null {
  const lines = playerLines(input.turns);
  if (lines.length === 0 || !input.judged) return null;
  const author_note = endingNote(input);
  const at = (line: number, kind: Moment['kind'], check: string | null): Moment | null => {
    const found = lines.find((one) => one.line === line);
    return found === undefined ? null : { turn: found.turn, line, check, kind, author_note };
  };
  const fault = openChecks(ranked).find((one) => one.fault && one.verdict.line !== null);
  if (fault?.verdict.line != null) return at(fault.verdict.line, 'lost', fault.check.id);

  const gains = lines.map((one) => ({ ...one, gain: gainAfter(input, one.turn) }));
  const worst = gains.reduce((low, one) => (one.gain < low.gain ? one : low));
  if (input.ending.type !== 'success' && worst.gain <= -LEAST_LOSS) return at(worst.line, 'lost', null);

  const won = metChecks(ranked).find((one) => one.verdict.line !== null);
  if (won?.verdict.line != null) return at(won.verdict.line, 'won', won.check.id);
  const best = gains.reduce((high, one) => (one.gain > high.gain ? one : high));
  if (best.gain > 0) return at(best.line, 'won', null);
  return worst.gain < 0 ? at(worst.line, 'lost', null) : null;
}
