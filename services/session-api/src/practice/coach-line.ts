import { ServiceError, type CoachAnswer } from '@parley/shared/contracts';
import type { Needs } from '../context';
import { requireState, requireTalk } from '../sessions/session-view';
import { normalisePlayerText } from '../turn/player-text';
import { judgeTry, type JudgedTry } from './line-checks';
import { momentAt } from './moment';

const MAX_NUDGES = 2;

/**
 * What a line would meet and lack, before it is said: what it would do wrong first, then what it could do at this moment.
 * Nothing is stored.
 * @throws ServiceError TURN_INPUT_ERROR, SESSION_NOT_FOUND, INVALID_STATE (not in play, or not coached), SERVICE_UNAVAILABLE.
 */
export async function coachLine(
  context: Needs<'database' | 'scenarios' | 'unsaved'>,
  sessionId: string,
  text: string,
  requestId: string,
): Promise<CoachAnswer> {
  const line = normalisePlayerText(text);
  const session = await requireTalk(context, sessionId);
  requireState(session, 'coach', ['PlayerTurnListening']);
  if (!session.coaching)
    throw new ServiceError('INVALID_STATE', 'This session is not coached; choose coaching when you begin one.', {
      details: { flow_state: session.flow_state, operation: 'coach', allowed_in: [] },
    });
  const moment = await momentAt(context, session, session.turn_count + 1, requestId);
  const { checks, faults } = judgeTry(moment, line, session.focus_dimension);
  const met = checks.filter(({ verdict }) => verdict === 'met');
  const missing = met.length > 0 ? [] : oneAMove(checks.filter(({ verdict }) => verdict === 'missed'));
  const nudges = [
    ...faults.map(({ id, text: fault }) => ({ check: id, text: fault })),
    ...missing.map(({ id, text: check }) => ({ check: id, text: check })),
  ];
  return {
    met: met.map(({ id, text: check, evidence }) => ({ check: id, text: check, evidence })),
    nudges: nudges.slice(0, MAX_NUDGES),
  };
}

/** Two checks of one move are one thing to do: the weightier stands for both. */
const oneAMove = (checks: JudgedTry['checks']): JudgedTry['checks'] =>
  checks.filter((one, place) => one.move === null || checks.findIndex(({ move }) => move === one.move) === place);
