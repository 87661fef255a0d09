/**
 * Polls until the condition gives something other than false, null or undefined, and answers that. Tests wait with it
 * instead of with times.
 * @throws Error naming what was waited for after `timeoutMs`.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 20 } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  throw new Error(`waited ${timeoutMs} ms in vain: ${what}`, { cause: last });
}
