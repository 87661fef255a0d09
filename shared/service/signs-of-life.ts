/** How often a caller that waits hears that its request is being worked on; well below the time limit of a read. */
const SIGN_OF_LIFE_MS = 2_000;

/** Waits, and tells the caller again and again that it is not forgotten. */
export async function withSignsOfLife<T>(stillWorking: () => void, awaited: Promise<T>): Promise<T> {
  const timer = setInterval(stillWorking, SIGN_OF_LIFE_MS);
  try {
    return await awaited;
  } finally {
    clearInterval(timer);
  }
}
