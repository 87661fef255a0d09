import type { Debrief, SessionExport, Transcript } from '@parley/shared/contracts';
import {
  allEvents,
  findDebrief,
  listAside,
  listDrills,
  listTurns,
  withSelfRatings,
  type SessionRow,
} from '@parley/shared/store';
import type { Needs } from '../context';
import { answerView, requireTalk, sessionWithHint, turnView } from './session-view';

/** The debrief: what the model wrote is in memory only when the transcript is not saved; the stored one holds always. */
export async function debriefOf(context: Needs<'database' | 'unsaved'>, session: SessionRow): Promise<Debrief | null> {
  const inMemory = context.unsaved.debrief(session.id);
  return inMemory === null
    ? findDebrief(context.database, session.id)
    : withSelfRatings(inMemory, session.self_ratings);
}

/** @throws ServiceError SESSION_NOT_FOUND */
export async function transcriptOf(context: Needs<'database' | 'unsaved'>, sessionId: string): Promise<Transcript> {
  const session = await requireTalk(context, sessionId);
  const rows = await listTurns(context.database, sessionId);
  return {
    session_id: session.id,
    transcript_saved: session.transcript_saved,
    turns: rows.map((row) => turnView(context, session, row)),
  };
}

/** A whole session as one document. @throws ServiceError SESSION_NOT_FOUND */
export async function exportOf(
  context: Needs<'database' | 'unsaved' | 'scenarios' | 'now'>,
  sessionId: string,
): Promise<SessionExport> {
  const session = await requireTalk(context, sessionId);
  const rows = await listTurns(context.database, sessionId);
  const aside = await listAside(context.database, sessionId, rows);
  return {
    schema_version: 1,
    exported_at: context.now().toISOString(),
    session: { ...(await sessionWithHint(context, session)), scenario_title: session.scenario_title },
    turns: rows.map((row) => turnView(context, session, row)),
    variants: aside.map((row) => answerView(context, session, row)),
    events: await allEvents(context.database, sessionId),
    debrief: await debriefOf(context, session),
    drills: await listDrills(context.database, sessionId),
  };
}
