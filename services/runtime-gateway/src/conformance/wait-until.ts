import { BrokenPromise } from './demand';

/** Polls until the condition holds. @throws BrokenPromise after `timeoutMs`. */
export async function waitUntil(condition: () => boolean, timeoutMs: number, intervalMs = 2): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new BrokenPromise(`nothing happened for ${timeoutMs / 1000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
