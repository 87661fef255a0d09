import { allowedDifficulties, startState } from '@parley/shared/engine';
import { ServiceError, type CreateSessionRequest, type ScenarioContent, type Session } from '@parley/shared/contracts';
import {
  getSettings,
  insertSession,
  newSessionId,
  reserveSequence,
  type NewSession,
  type Transaction,
  type SessionRow,
} from '@parley/shared/store';
import type { Needs } from '../context';
import { settledAttempt } from './attempt';
import { SEQ_BLOCK } from '../live/socket-hub';
import { sessionView } from './session-view';

const FENCE_BYTES = 12;

function refuse(path: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `The body does not match: ${path}: ${message}`, {
    details: { issues: [{ path, message }] },
  });
}

function checkChoices(request: CreateSessionRequest, content: ScenarioContent): void {
  const { difficulty, language, focus_dimension: focus } = request;
  const offered = allowedDifficulties(content);
  if (difficulty !== undefined && !offered.includes(difficulty))
    throw refuse('difficulty', `This scenario offers ${offered.join(', ')}.`);
  if (language !== undefined && !content.languages.includes(language))
    throw refuse('language', `This pack speaks ${content.languages.join(', ')}.`);
  const dimensions = content.rubric.dimensions.map((dimension) => dimension.id);
  if (focus !== undefined && !dimensions.includes(focus))
    throw refuse('focus_dimension', `The rubric has ${dimensions.join(', ')}.`);
  const [easiest] = offered;
  if (request.coaching === true && (difficulty ?? content.difficulty.default) !== easiest)
    throw refuse('coaching', `Coaching is offered at the easiest difficulty: ${easiest ?? 'warm'}.`);
}

/** What else is stored with a new session, in its transaction. */
export type AlsoStore = (transaction: Transaction, row: SessionRow) => Promise<void>;

/** A session as it is to be stored. */
interface ToStore {
  readonly session: NewSession;
  readonly also: AlsoStore | undefined;
}

/**
 * Stores a new session and its counter of messages, in one transaction.
 * @param make reads in it what must not have changed until the session is there.
 */
export async function storeNewSession(
  context: Needs<'database' | 'hub'>,
  make: (transaction: Transaction) => Promise<ToStore>,
): Promise<SessionRow> {
  const row = await context.database.write(async (transaction) => {
    const { session, also } = await make(transaction);
    const attempt = await settledAttempt(transaction, session);
    const inserted = await insertSession(transaction, { ...session, attempt });
    await reserveSequence(transaction, session.id, SEQ_BLOCK);
    await also?.(transaction, inserted);
    return { ...inserted, seq_reserved: SEQ_BLOCK };
  });
  context.hub.register(row.id);
  return row;
}

export const freshIds = (context: Needs<'now' | 'randomBytes'>): Pick<NewSession, 'id' | 'fence'> => ({
  id: newSessionId(context.now().getTime(), context.randomBytes),
  fence: context.randomBytes(FENCE_BYTES).toString('hex'),
});

/**
 * Makes a session of the scenario's current version, in NotStarted.
 * @throws ServiceError SCENARIO_NOT_FOUND, VALIDATION_ERROR (difficulty, language or focus that the scenario has not),
 * SERVICE_UNAVAILABLE.
 */
export async function createSession(
  context: Needs<'database' | 'hub' | 'now' | 'randomBytes' | 'model' | 'scenarios' | 'room'>,
  request: CreateSessionRequest,
  requestId: string,
  also?: AlsoStore,
): Promise<Session> {
  context.model.refresh();
  const original = await context.scenarios.current(request.scenario_id, undefined, requestId);
  checkChoices(request, original.content);
  const scenario =
    request.language === undefined || request.language === original.content.language
      ? original
      : await context.scenarios.current(request.scenario_id, request.language, requestId);
  const { content } = scenario;
  const difficulty = request.difficulty ?? content.difficulty.default;
  const state = startState(content, difficulty);
  const session: Omit<NewSession, 'transcript_saved'> = {
    ...freshIds(context),
    scenario_id: content.id,
    scenario_version: content.version,
    scenario_title: content.title,
    pack_id: content.pack_id,
    npc_id: content.npc.npc_id,
    flow_state: 'NotStarted',
    state_vars: state.state_vars,
    flags: state.flags,
    engine_state: state,
    ending_type: null,
    ending_id: null,
    turn_count: 0,
    player_turn_count: 0,
    difficulty,
    language: content.language,
    focus_dimension: request.focus_dimension ?? null,
    forked_from_session: null,
    forked_from_turn: null,
    attempt: 'first',
    coaching: request.coaching ?? false,
    created_at: context.now().toISOString(),
    started_at: null,
    ended_at: null,
  };
  const row = await storeNewSession(context, async (transaction) => {
    // Asked for where it is stored, so that a switch that was thrown holds for it on every process.
    const { save_transcripts: transcript_saved } = await getSettings(transaction);
    return { session: { ...session, transcript_saved }, also };
  });
  context.room.begins(row, scenario);
  return sessionView(context, row);
}
