import { findSession } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { forgetClearedHere, forgetHere, forgetTalkHere } from '../sessions/forget-session';
import { stateMessage } from '../sessions/session-view';
import type { Listeners, Order } from './bus';
import type { Hearing } from './presence';

async function obey(context: SessionApiContext, order: Order): Promise<void> {
  switch (order.kind) {
    case 'cancel':
      return order.session === null ? context.turns.abortAllHere() : context.turns.abortHere(order.session);
    case 'end':
      await context.turns.abortHere(order.session);
      return forgetTalkHere(context, order.session);
    case 'delete':
      await context.turns.abortHere(order.session);
      forgetHere(context, order.session);
      return context.debriefs.settle(order.session);
    case 'clear':
      return forgetClearedHere(context);
    case 'debrief':
      return context.debriefs.settle(order.session);
    case 'runtime':
      context.health.forget();
      return context.model.forget();
  }
}

/** The sockets of this process may have missed anything: they are told how things stand, or that the session is gone. */
async function catchUp(context: SessionApiContext, heard: readonly Listeners[]): Promise<void> {
  context.ready.forgetAll();
  context.summaries.forgetAll();
  for (const listeners of heard) {
    const session = await findSession(context.database, listeners.sessionId);
    if (session === null) forgetHere(context, listeners.sessionId);
    else listeners.emit({ ...stateMessage(session), ts: context.now().toISOString() });
  }
}

/** What this process does with what it hears from the others. */
export function hearingOf(context: SessionApiContext): Hearing {
  const logged = (what: string, work: Promise<void>): void => {
    work.catch((error: unknown) =>
      context.logger.error({ err: error, action: what }, 'what another process told was not done'),
    );
  };
  return {
    obey: (order) => logged(order.kind, obey(context, order)),
    caughtUp: (heard) => logged('catching up', catchUp(context, heard)),
  };
}
