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

/** All were deleted: the same, of this process. */
export function forgetAllHere(context: Remembering): void {
  context.unsaved.dropAll();
  context.summaries.forgetAll();
  context.fits.forgetAll();
  context.ready.forgetAll();
  context.hub.dropAll();
  context.debriefs.settleAll();
}

export async function forgetAll(context: Remembering): Promise<void> {
  forgetAllHere(context);
  context.presence.bus.order({ kind: 'clear' });
  await context.unsaved.forget();
}
