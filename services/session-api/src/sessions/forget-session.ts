import { sessionIds } from '@parley/shared/store';
import type { Needs } from '../context';

type Remembering = Needs<'unsaved' | 'summaries' | 'fits' | 'ready' | 'prewarming' | 'hub' | 'debriefs' | 'presence'>;

/** Takes everything that this process has in memory of a session away, and closes its sockets with 4404. */
export function forgetHere(context: Remembering, sessionId: string): void {
  context.unsaved.drop(sessionId);
  forgetTalkHere(context, sessionId);
  context.fits.forget(sessionId);
  context.prewarming.forget(sessionId);
  context.hub.drop(sessionId);
}

/** What is remembered of what was said so that the next turn need not read it: the talk is over, or went on elsewhere. */
export function forgetTalkHere(
  { ready, summaries }: Pick<Remembering, 'ready' | 'summaries'>,
  sessionId: string,
): void {
  ready.forget(sessionId);
  summaries.forget(sessionId);
}

/** A session was deleted: takes it away everywhere that is not the database. */
export async function forget(context: Remembering, sessionId: string): Promise<void> {
  forgetHere(context, sessionId);
  context.presence.bus.order({ kind: 'delete', session: sessionId });
  await context.unsaved.forget(sessionId);
  await context.debriefs.settle(sessionId);
}

type Clearing = Remembering & Needs<'database' | 'turns'>;

/** Which of these sessions the database has no longer: one that was begun while a clear ran goes on, and keeps its words. */
async function goneOf({ database }: Clearing, known: Iterable<string>): Promise<string[]> {
  const asked = new Set(known);
  const left = new Set(await sessionIds(database));
  return [...asked].filter((id) => !left.has(id));
}

/** A clear deleted sessions: aborts their turns and takes away what this process has of them. */
export async function forgetClearedHere(context: Clearing): Promise<void> {
  const { turns, unsaved, hub, debriefs, ready, summaries } = context;
  const gone = await goneOf(context, [...turns.ids(), ...unsaved.ids(), ...hub.ids(), ...debriefs.ids()]);
  await Promise.all(gone.map((id) => turns.abortHere(id)));
  for (const id of gone) {
    forgetHere(context, id);
    await debriefs.settle(id);
  }
  // What these hold of sessions that go on is read again.
  ready.forgetAll();
  summaries.forgetAll();
}

/** The same everywhere that is not the database. */
export async function forgetCleared(context: Clearing): Promise<void> {
  await forgetClearedHere(context);
  context.presence.bus.order({ kind: 'clear' });
  const gone = await goneOf(context, await context.unsaved.shelvedIds());
  await Promise.all(gone.map((id) => context.unsaved.forget(id)));
}
