import type { Debrief, SayInstead } from '@parley/shared/contracts';
import { allVerdicts, verdictKey } from '../debrief/evidence-marks';

/** A line of an ended talk that can be said again. */
export interface Place {
  /** Index of the player's turn. */
  readonly turn: number;
  /** Whether it is the line that decided most, and how; null for any other. */
  readonly kind: 'won' | 'lost' | null;
  /** What the check asks for that it is about. */
  readonly about: string | null;
  /** The author's word on the ending. */
  readonly note: string | null;
  readonly advice: SayInstead | null;
}

/**
 * The line to say again: the one that was asked for, else the one that decided most, else the first that has a better one.
 * @param turn the player's turn that was asked for; null without one.
 * @returns null when nothing was judged, or when the turn that was asked for is none of the talk's.
 */
export function placeOf(debrief: Debrief, turn: number | null, lastTurn: number): Place | null {
  const { moment = null, say_instead: allAdvice = [] } = debrief;
  const wanted = turn ?? moment?.turn ?? allAdvice[0]?.turn;
  if (wanted === undefined || wanted % 2 !== 0 || wanted < 2 || wanted > lastTurn) return null;
  const advice = allAdvice.find((one) => one.turn === wanted) ?? null;
  const decided = moment?.turn === wanted ? moment : null;
  const verdicts = allVerdicts(debrief);
  const about =
    advice === null
      ? verdicts.find(({ verdict }) => verdict.id === decided?.check)
      : verdicts.find(({ key }) => key === verdictKey(advice.dimension, advice.check, false));
  return {
    turn: wanted,
    kind: decided?.kind ?? null,
    about: about?.verdict.text ?? null,
    note: decided?.author_note ?? null,
    advice,
  };
}
