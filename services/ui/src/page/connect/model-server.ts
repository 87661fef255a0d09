import type { ModelServerState } from '@parley/shared/contracts';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';

/** The program that runs a model; null where the service can install none. */
export async function askModelServer(signal?: AbortSignal): Promise<ModelServerState | null> {
  try {
    return await callApi('getModelServer', {}, signal);
  } catch (error) {
    // Another gateway in the place of ours.
    if (['NOT_FOUND', 'NOT_SUPPORTED_BY_RUNTIME'].includes(ApiError.from(error).code)) return null;
    throw error;
  }
}

/** Begins its install; askModelServer then tells how far it is. */
export async function installModelServer(signal?: AbortSignal): Promise<void> {
  await callApi('installModelServer', {}, signal);
}
