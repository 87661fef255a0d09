import type { Debrief, TextSpan } from '@parley/shared/contracts';
import { holds } from '../../conditions';
import { sentencesAround } from '../../judging/evidence';
import { viewsOf } from './condition-views';
import type { LetterInput } from './letter-input';

type OutcomeLine = NonNullable<Debrief['outcome']>[number];

/** A longer sentence is cut down to the words that proved the move; in UTF-16 units. */
const LONGEST_QUOTED = 240;

const NOBODY = { turn: null, line: null, said: null };

/** The sentence round the words that proved a move, or those words where the sentence is too long to read back. */
function quotedAt(text: string, span: TextSpan): string {
  const around = sentencesAround(text, span);
  const { start, end } = around.end - around.start <= LONGEST_QUOTED ? around : span;
  return text.slice(start, end).trim();
}

/** Where the player made a move for the last time, and in which words; a move that only the model named has none. */
function lastMade({ judgements, turns }: LetterInput, move: string): Omit<OutcomeLine, 'text'> {
  for (const judgement of judgements.toReversed()) {
    const made = judgement.moves.find(({ id, by }) => id === move && by !== 'model');
    if (made === undefined) continue;
    const text = turns.find(({ index }) => index === judgement.turn)?.text ?? null;
    const [span] = made.spans;
    const said = text === null || span === undefined ? null : quotedAt(text, span);
    return { turn: judgement.turn, line: judgement.line, said };
  }
  return NOBODY;
}

/**
 * What came of the talk: the author's lines that hold at its end, with the player's own words where a line names a move.
 * Empty for a talk that was not judged.
 */
export function talkOutcome(input: LetterInput): OutcomeLine[] {
  const { content, ending, events, judged } = input;
  const view = [...viewsOf(events)].at(-1);
  if (!judged || view === undefined) return [];
  return content.outcome
    .filter((line) => line.ending === null || line.ending === ending.id)
    .filter((line) => line.when.every((condition) => holds(condition, view)))
    .map(({ text, quote }) => ({ text, ...(quote === null ? NOBODY : lastMade(input, quote)) }));
}
