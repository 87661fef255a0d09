import { stateAfterTurn } from '@parley/shared/engine';
import { ServiceError, type Session } from '@parley/shared/contracts';
import {
  appendEvents,
  appendTurns,
  eventsUpToTurn,
  findTurn,
  indexTurns,
  isBeingCleared,
  listTurns,
  type Queryable,
  type SessionRow,
} from '@parley/shared/store';
import type { Needs } from '../context';
import { freshIds, storeNewSession, type AlsoStore } from './create-session';
import { inPlay } from './in-play';
import { noSuchSession, requireSession, requireState, sessionView } from './session-view';

function badTurn(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `The body does not match: turn: ${message}`, {
    details: { issues: [{ path: 'turn', message }] },
  });
}

async function checkTurn(queryable: Queryable, session: SessionRow, turn: number): Promise<void> {
  const row = await findTurn(queryable, session.id, turn);
  if (row?.role !== 'npc') throw badTurn("It must be the number of one of the character's turns.");
  const endedByTurn = session.ending_type !== null && session.ending_type !== 'player_exit';
  if (endedByTurn && turn === session.turn_count)
    throw badTurn('This turn ended the session; go on from an earlier one.');
}

/** The session while it may be forked after this turn. @throws ServiceError as forkSession */
async function requireFork(queryable: Queryable, sessionId: string, turn: number): Promise<SessionRow> {
  const session = await requireSession(queryable, sessionId);
  // A number that can name no turn is the request's fault whatever the state; which turns exist depends on the state.
  requireState(session, 'fork', ['PlayerTurnListening', 'Ended', 'DebriefGenerating', 'DebriefReady']);
  if (!session.transcript_saved)
    throw new ServiceError(
      'TRANSCRIPT_NOT_SAVED',
      'The text of this session was not kept, so it cannot be retried from a turn.',
    );
  await checkTurn(queryable, session, turn);
  return session;
}

/**
 * A new session that goes on after one of the character's turns, with everything up to it as it stood then.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE, TRANSCRIPT_NOT_SAVED, VALIDATION_ERROR, SERVICE_UNAVAILABLE.
 */
export async function forkSession(
  context: Needs<'database' | 'scenarios' | 'now' | 'randomBytes' | 'hub'>,
  sessionId: string,
  turn: number,
  requestId: string,
  also?: AlsoStore,
): Promise<Session> {
  const session = await requireFork(context.database, sessionId, turn);
  const { content } = await context.scenarios.version(
    session.scenario_id,
    session.scenario_version,
    session.language,
    requestId,
  );
  const ids = freshIds(context);
  const at = context.now().toISOString();
  const row = await storeNewSession(context, async (transaction) => {
    // Read where it is stored: the text of a talk that was deleted or is being cleared must not come back, and another
    // answer may have taken the place of one.
    if (await isBeingCleared(transaction, session)) throw noSuchSession();
    const now = await requireFork(transaction, sessionId, turn);
    const turns = await listTurns(transaction, sessionId, { upTo: turn });
    const all = await eventsUpToTurn(transaction, sessionId, turn);
    const events = all.filter((event) => event.kind !== 'ending');
    const state = stateAfterTurn(content, now.difficulty, events, turn);
    const {
      ordinal: _ordinal,
      version: _version,
      seq_reserved: _seq,
      overall_score: _score,
      self_ratings: _ratings,
      ...kept
    } = now;
    return {
      session: {
        ...kept,
        ...ids,
        ...inPlay(state),
        turn_count: turns.length,
        player_turn_count: state.player_turns,
        forked_from_session: sessionId,
        forked_from_turn: turn,
        attempt: 'retry',
        created_at: at,
        started_at: at,
        ended_at: null,
      },
      also: async (_transaction, forked) => {
        await appendTurns(transaction, forked.id, turns);
        await indexTurns(transaction, forked, turns);
        await appendEvents(transaction, forked.id, events, at);
        await also?.(transaction, forked);
      },
    };
  });
  return sessionView(context, row);
}
