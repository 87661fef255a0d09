import { ServiceError } from '@parley/shared/contracts';
import { wasSilent, type CallOptions } from '@parley/shared/client';
import type { WorkerContext } from '../context';

/**
 * Calls another process, a few times when it cannot be reached: the supervisor has a killed one back within a second. One
 * that is there and does not answer is not asked again.
 * @throws ServiceError what the last call said; the signal's reason when it aborts
 */
export async function callPeer<T>(
  context: WorkerContext,
  signal: AbortSignal,
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  for (const pause of [...context.policy.peerRetries, null]) {
    try {
      return await call({ signal, timeoutMs: context.config.base.peer_timeout_ms });
    } catch (error) {
      signal.throwIfAborted();
      if (pause === null || !(error instanceof ServiceError) || !error.retryable || wasSilent(error)) throw error;
      await context.pause(pause, signal);
    }
  }
  throw new Error('unreachable: the last call returns or throws');
}
