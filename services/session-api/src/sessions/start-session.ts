import { openSession, prepareJudging, withoutReasons } from '@parley/shared/engine';
import type { StartAnswer } from '@parley/shared/contracts';
import {
  appendEvents,
  appendTurns,
  indexTurns,
  saveSession,
  type SessionRow,
  type TurnRow,
} from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { prewarmInBackground } from '../turn/prewarm';
import { changedMeanwhile } from './changed-meanwhile';
import { inPlay } from './in-play';
import { redact } from './redact';
import { requireSession, requireState, sessionView, turnView } from './session-view';

/**
 * Delivers the opening line as turn 1.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE, SERVICE_UNAVAILABLE.
 */
export async function startSession(
  context: SessionApiContext,
  sessionId: string,
  requestId: string,
): Promise<StartAnswer> {
  const session = await requireSession(context.database, sessionId);
  requireState(session, 'start', ['NotStarted']);
  const scenario = await context.scenarios.version(
    session.scenario_id,
    session.scenario_version,
    session.language,
    requestId,
  );
  const { content } = scenario;
  context.model.refresh();
  context.room.begins(session, scenario);
  // What reading the player's words needs is loaded while the player reads the opening, not with the first line.
  setImmediate(() => prepareJudging(content, session.language));
  const outcome = openSession(content, session.difficulty);
  const channel = await context.hub.channel(sessionId);
  const at = context.now().toISOString();
  const row: SessionRow = {
    ...session,
    ...inPlay(outcome.state),
    turn_count: 1,
    version: session.version + 1,
    seq_reserved: channel === null ? session.seq_reserved : context.hub.seqToReserve(channel),
    started_at: at,
  };
  const turn: TurnRow = {
    turn_index: 1,
    role: 'npc',
    text: redact(session).text(outcome.utterance),
    emotion: outcome.emotion,
    used_fallback: false,
    raw_output: null,
    observations: null,
    judgement: null,
    variant: 1,
    variants: 1,
    created_at: at,
  };
  const said = { utterance: outcome.utterance, observations: [], safety: null };
  await context.unsaved.shelve(session, { answer: { ...said, index: 1, variant: 1 } });
  await context.database.write(async (transaction) => {
    if (!(await saveSession(transaction, row, session)))
      throw await changedMeanwhile(transaction, sessionId, 'start', ['NotStarted']);
    await appendTurns(transaction, sessionId, [turn]);
    if (session.transcript_saved) await indexTurns(transaction, session, [turn]);
    await appendEvents(transaction, sessionId, withoutReasons(outcome.events), at);
  });
  if (!session.transcript_saved) context.unsaved.addText(sessionId, 1, outcome.utterance);
  for (const message of outcome.messages) channel?.publish(message);
  // Who joins once the start is answered, on whichever process, is told of it by the state alone.
  await context.presence.bus.flushed(sessionId);
  // The longest part of every prompt is read while the player reads the opening.
  prewarmInBackground(context, sessionId, requestId);
  return { session: sessionView(context, row), turn: turnView(context, row, turn), events: outcome.messages };
}
