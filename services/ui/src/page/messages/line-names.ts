import type { Messages } from './en';

/**
 * Number of the player's line that a turn is, or that it answers; 0 for the opening. People count the player's lines from
 * 1; the API counts the turns of both, the opening first.
 */
export const lineOf = (turn: number): number => Math.floor(turn / 2);

const isPlayers = (turn: number): boolean => turn % 2 === 0;
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A turn inside of a sentence: `your line 2`, `the answer to your line 2`, `the opening`. */
export function lineInSentence({ lines }: Messages, turn: number): string {
  if (isPlayers(turn)) return lines.own(lineOf(turn));
  return turn === 1 ? lines.opening : lines.answer(lineOf(turn));
}

/** A turn as a label of its own. */
export const lineLabel = (messages: Messages, turn: number): string =>
  isPlayers(turn) || turn === 1
    ? capitalised(lineInSentence(messages, turn))
    : messages.lines.answerLabel(lineOf(turn));

/**
 * A text of a debrief with the turns that it cites by number as lines of the player: `(turn 4)` is `(your line 2)`.
 * Numbers beyond the last turn are none of the talk's and stay.
 */
export function withLines(messages: Messages, text: string, lastTurn: number): string {
  const { lines } = messages;
  return text.replace(lines.citation, (cited) => {
    const turns = (cited.match(/\d+/g) ?? []).map(Number);
    if (turns.length === 0 || turns.some((turn) => turn < 1 || turn > lastTurn)) return cited;
    const list = cited.slice(cited.search(/\d/)).replace(lines.citationWord, '');
    const told =
      turns.length > 1 && turns.every(isPlayers)
        ? lines.several(list.replace(/\d+/g, (turn) => String(lineOf(Number(turn)))))
        : list.replace(/\d+(?:st|nd|rd|th)?/g, (turn) => lineInSentence(messages, parseInt(turn, 10)));
    return /^\p{Lu}/u.test(cited) ? capitalised(told) : told;
  });
}
