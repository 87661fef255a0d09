import { hintFor, type EngineState } from '@parley/shared/engine';
import {
  DamagedRowError,
  ServiceError,
  type EmittedMessage,
  type FlowState,
  type ScenarioContent,
  type Session,
  type Turn,
} from '@parley/shared/contracts';
import {
  findSession,
  parseRow,
  toSession,
  toTurn,
  type Queryable,
  type SessionRow,
  type TurnRow,
} from '@parley/shared/store';
import { z } from 'zod';
import type { ScenarioCache } from './scenario-cache';
import type { UnsavedTexts } from './unsaved-texts';

/** Where titles and hints of a session come from. */
interface Scenarios {
  readonly scenarios: ScenarioCache;
}

/** Where the words of a session are that is not saved. */
interface Texts {
  readonly unsaved: UnsavedTexts;
}

export const noSuchSession = (): ServiceError =>
  new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it may have been deleted. Start a new one.');

/** @throws ServiceError SESSION_NOT_FOUND */
export async function requireSession(queryable: Queryable, sessionId: string): Promise<SessionRow> {
  const session = await findSession(queryable, sessionId);
  if (session === null) throw noSuchSession();
  return session;
}

/** The session with its words at hand, wherever they are kept. @throws ServiceError SESSION_NOT_FOUND, SERVICE_UNAVAILABLE */
export async function requireTalk(
  { database, unsaved }: Texts & { readonly database: Queryable },
  sessionId: string,
): Promise<SessionRow> {
  const session = await requireSession(database, sessionId);
  await unsaved.fetch(session);
  return session;
}

/** @throws ServiceError INVALID_STATE with the state, the operation and the states in which it is allowed. */
export function requireState(session: SessionRow, operation: string, allowed: readonly FlowState[]): void {
  if (allowed.includes(session.flow_state)) return;
  throw new ServiceError(
    'INVALID_STATE',
    `The session is in ${session.flow_state}; ${operation} needs ${allowed.join(' or ')}.`,
    { details: { flow_state: session.flow_state, operation, allowed_in: [...allowed] } },
  );
}

/** A state that was stored before moves and demo lines were counted has counted none. */
const STATE = {
  table: 'sessions',
  id: ['id'],
  shape: z.object({
    engine_state: z.object({
      state_vars: z.record(z.string(), z.number()),
      flags: z.array(z.string()),
      fired_events: z.array(z.string()),
      player_turns: z.int(),
      turn_index: z.int(),
      pending_instructions: z.array(z.string()),
      move_counts: z.record(z.string(), z.int()).default({}),
      half_moves: z.array(z.string()).default([]),
      demo_said: z.array(z.int()).default([]),
      demo_voice: z.boolean().default(false),
    }) satisfies z.ZodType<EngineState>,
  }),
};

/** @throws DamagedRowError */
export const engineState = (session: SessionRow): EngineState => parseRow(STATE, session).engine_state;

/** Without a hint where the state cannot be read: the session is still to be seen, in a list too. */
function hintOf(content: ScenarioContent, session: SessionRow): string | null {
  try {
    return hintFor(content, engineState(session));
  } catch (error) {
    if (error instanceof DamagedRowError) return null;
    throw error;
  }
}

/** The session as answers hold it. The hint is there when the scenario is known to this process already. */
export function sessionView(context: Scenarios, session: SessionRow): Session {
  const scenario =
    session.flow_state === 'PlayerTurnListening'
      ? context.scenarios.known(session.scenario_id, session.scenario_version, session.language)
      : undefined;
  return toSession(session, scenario === undefined ? null : hintOf(scenario.content, session));
}

/** As sessionView; fetches the scenario for the hint when it must, and does without it when it cannot. */
export async function sessionWithHint(context: Scenarios, session: SessionRow): Promise<Session> {
  if (session.flow_state === 'PlayerTurnListening')
    await context.scenarios.prefetch(session.scenario_id, session.scenario_version, session.language);
  return sessionView(context, session);
}

/** The text of a turn: from disk when it is saved there, from memory otherwise; null when it is gone. */
export function turnText(
  context: Texts,
  session: SessionRow,
  turn: Pick<TurnRow, 'turn_index' | 'text'>,
): string | null {
  return session.transcript_saved ? turn.text : context.unsaved.text(session.id, turn.turn_index);
}

export function turnView(context: Texts, session: SessionRow, turn: TurnRow): Turn {
  return { ...toTurn(turn), text: turnText(context, session, turn) };
}

/** One answer of the character, whether it stands or was put aside. */
export function answerView(context: Texts, session: SessionRow, turn: TurnRow): Turn {
  const { text } = session.transcript_saved ? turn : context.unsaved.answer(session.id, turn.turn_index, turn.variant);
  return { ...toTurn(turn), text };
}

export function stateMessage(session: SessionRow): EmittedMessage & { type: 'session.state' } {
  return {
    type: 'session.state',
    payload: {
      state: session.flow_state,
      state_vars: { ...session.state_vars },
      ending_type: session.ending_type,
      ending_id: session.ending_id,
    },
  };
}
