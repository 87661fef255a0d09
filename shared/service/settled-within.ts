/**
 * Waits until some work is done or has failed, but no longer than that.
 * @param ms milliseconds
 */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([Promise.allSettled([work]), limit]);
  } finally {
    clearTimeout(timer);
  }
}
