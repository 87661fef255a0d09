import type { Debrief } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';

/** A wait of the service that ran out (202) is simply begun again, after this many milliseconds. */
const AGAIN_MS = 1_000;

/** Asks for the debrief and waits until it is there: it is made, joined, or read, whichever fits. */
export async function waitForDebrief(sessionId: string, signal: AbortSignal): Promise<Debrief> {
  for (;;) {
    const answer = await callApi('createDebrief', { params: { id: sessionId } }, signal);
    if ('overall_score' in answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    signal.throwIfAborted();
  }
}
