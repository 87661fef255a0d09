import { ServiceError } from '@parley/shared/contracts';
import type { Needs } from '../context';
import type { SessionChannel } from '../live/session-channel';

/** @throws ServiceError SESSION_NOT_FOUND */
export async function requireChannel(context: Needs<'hub'>, sessionId: string): Promise<SessionChannel> {
  const channel = await context.hub.channel(sessionId);
  if (channel === null)
    throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it may have been deleted.');
  return channel;
}

/** Measures a turn, and tells the sockets when it fails. @throws what `turn` throws */
export async function attemptTurn<T>(
  context: Needs<'metrics'>,
  channel: SessionChannel,
  turn: () => Promise<T>,
): Promise<T> {
  const finish = context.metrics.duration.startTimer();
  try {
    const answer = await turn();
    finish({ outcome: 'stored' });
    return answer;
  } catch (error) {
    finish({ outcome: error instanceof ServiceError ? error.code : 'INTERNAL' });
    tellSockets(channel, error);
    throw error;
  }
}

/** A failed turn leaves no trace but this message. */
function tellSockets(live: SessionChannel, error: unknown): void {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('INTERNAL', 'Something went wrong inside Parley; try again.');
  live.publish({
    type: 'error',
    payload: {
      code: known.code,
      message: known.message,
      ...(known.details === undefined ? {} : { details: known.details }),
    },
  });
}
