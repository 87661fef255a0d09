import { stateAfterTurn, type EngineState } from '@parley/shared/engine';
import { ServiceError, type FlowState, type ScenarioContent, type StoredEvent } from '@parley/shared/contracts';
import {
  eventsUpToTurn,
  findTurn,
  listAnswers,
  type GivenAnswer,
  type SessionRow,
  type TurnRow,
} from '@parley/shared/store';
import type { Needs } from '../context';
import { inPlay } from '../sessions/in-play';
import { requireState } from '../sessions/session-view';

/** Before the debrief was begun: what it judges must not change any more. */
const BEFORE_THE_DEBRIEF: readonly FlowState[] = ['PlayerTurnListening', 'Ended'];

/** What is refused for another reason than the state itself. */
export function notNow(session: SessionRow, operation: string, message: string): ServiceError {
  return new ServiceError('INVALID_STATE', message, {
    details: { flow_state: session.flow_state, operation, allowed_in: [...BEFORE_THE_DEBRIEF] },
  });
}

/** The last answer of the character, and what it answers. */
export interface LastAnswer {
  readonly player: TurnRow;
  /** All answers to these words, in the order of their numbers. */
  readonly answers: readonly GivenAnswer[];
  readonly standing: GivenAnswer;
}

/** @throws ServiceError INVALID_STATE after the debrief was begun, and when the character has answered nothing yet. */
export async function requireLastAnswer(
  context: Needs<'database'>,
  session: SessionRow,
  operation: string,
): Promise<LastAnswer> {
  requireState(session, operation, BEFORE_THE_DEBRIEF);
  const { database } = context;
  const index = session.turn_count;
  const player = await findTurn(database, session.id, index - 1);
  const answers = await listAnswers(database, session.id, index);
  const standing = answers.find(({ stands }) => stands);
  if (player === null || standing === undefined)
    throw notNow(session, operation, 'The character has not answered anything yet; say something first.');
  return { player, answers, standing };
}

/** What happened before the last turn of the player, oldest first. */
export const eventsBefore = (context: Needs<'database'>, session: SessionRow): Promise<StoredEvent[]> =>
  eventsUpToTurn(context.database, session.id, session.turn_count - 2);

/** The session as it stood before the last turn of the player. */
export async function sessionBefore(
  context: Needs<'database'>,
  session: SessionRow,
  content: ScenarioContent,
): Promise<SessionRow> {
  const turns = session.turn_count - 2;
  const state: EngineState = stateAfterTurn(content, session.difficulty, await eventsBefore(context, session), turns);
  return {
    ...session,
    ...inPlay(state),
    turn_count: turns,
    player_turn_count: session.player_turn_count - 1,
  };
}
