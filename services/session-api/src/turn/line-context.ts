import { EARLIER_LINES, saidLines, type LineContext, type SaidBefore } from '@parley/shared/engine';
import type { ScenarioContent } from '@parley/shared/contracts';
import type { SessionRow, SpokenTurn } from '@parley/shared/store';
import type { Needs } from '../context';
import { turnText } from '../sessions/session-view';

/**
 * What the next line of the player is judged against.
 * @param spoken what was said last, oldest first.
 */
export function lineContext(
  context: Needs<'unsaved'>,
  session: SessionRow,
  content: ScenarioContent,
  spoken: readonly SpokenTurn[],
): LineContext {
  const textOf = (turn: SpokenTurn): string | null => turnText(context, session, turn);
  const npc = spoken.filter(({ role }) => role === 'npc').at(-1);
  return {
    content,
    language: session.language,
    line: session.player_turn_count + 1,
    turn: session.turn_count + 1,
    lastNpcLine: npc === undefined ? null : textOf(npc),
    earlierLines: spoken
      .filter(({ role }) => role === 'player')
      .slice(-EARLIER_LINES)
      .flatMap((turn) => textOf(turn) ?? []),
  };
}

/** How many lines of each side a reply is compared with. */
const COMPARED_LINES = 3;

/** What the answer to a line must not say again. @param turns what was said, oldest first; a text that is gone is null. */
export function saidBefore(turns: readonly { role: string; text: string | null }[], playerText: string): SaidBefore {
  const of = (role: string): string[] =>
    turns
      .filter((turn) => turn.role === role)
      .flatMap(({ text }) => text ?? [])
      .slice(-COMPARED_LINES);
  return saidLines([...of('player').slice(1 - COMPARED_LINES), playerText, ...of('npc')]);
}
