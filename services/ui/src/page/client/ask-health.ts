import type { Health } from '@parley/shared/contracts';
import { callApi } from './call-api';

/** How long the service may take to say how it is, in milliseconds: it waits up to 8 s for a gateway itself. */
const HEALTH_TIME_LIMIT_MS = 10_000;

/**
 * Health of the set.
 * @throws ApiError UNREACHABLE when no answer came within the time limit.
 */
export async function askHealth(signal?: AbortSignal): Promise<Health> {
  const control = new AbortController();
  const giveUp = (): void => control.abort();
  const timer = setTimeout(giveUp, HEALTH_TIME_LIMIT_MS);
  signal?.addEventListener('abort', giveUp);
  try {
    return await callApi('getHealth', {}, control.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
