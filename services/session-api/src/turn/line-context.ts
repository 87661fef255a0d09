import { EARLIER_LINES, type LineContext } from '@parley/shared/engine';
import type { ScenarioContent } from '@parley/shared/contracts';
import type { SessionRow, SpokenTurn } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { turnText } from '../sessions/session-view';

/**
 * What the next line of the player is judged against.
 * @param spoken what was said last, oldest first.
 */
export function lineContext(
  context: SessionApiContext,
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
