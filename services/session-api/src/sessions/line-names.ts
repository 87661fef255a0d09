/**
 * Turns as people count them: the player's lines from 1, and what answers those. The API counts the turns of both, the
 * opening first.
 */
export function lineName(turn: number): string {
  if (turn === 1) return 'the opening';
  const line = Math.floor(turn / 2);
  return turn % 2 === 0 ? `your line ${line}` : `the answer to your line ${line}`;
}

/** How texts of a debrief cite turns: `turn 4`, `turns 2 and 4`. */
const CITATION = /\b(?:your )?turns? (\d{1,4}(?:(?:, and |, | and | or | to )\d{1,4})*)\b/gi;

/** A text with the turns that it cites as lines of the player. Numbers beyond the last turn are none of the talk's and stay. */
export function withLines(text: string, lastTurn: number): string {
  return text.replace(CITATION, (cited: string, list: string) => {
    const turns = (list.match(/\d+/g) ?? []).map(Number);
    if (turns.some((turn) => turn < 1 || turn > lastTurn)) return cited;
    const told =
      turns.length > 1 && turns.every((turn) => turn % 2 === 0)
        ? `your lines ${list.replace(/\d+/g, (turn) => String(Number(turn) / 2))}`
        : list.replace(/\d+/g, (turn) => lineName(Number(turn)));
    return /^\p{Lu}/u.test(cited) ? capitalised(told) : told;
  });
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
