import { ServiceError } from '@parley/shared/contracts';

/** Imports and validations that run at the same time; each is a process that may take half a gigabyte. */
const AT_ONCE = 2;

const stopping = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Parley is being stopped and nothing was installed; start it and try again.',
    {
      details: { service: 'pack_service' },
    },
  );

/** Lets two packs be taken in at once; the others wait in the order in which they came. */
export class PackQueue {
  private readonly waiting: (() => void)[] = [];
  private readonly all = new Set<AbortController>();
  private running = 0;
  private stopped = false;

  /**
   * @param task what is to be done; the signal that it gets ends it.
   * @param signal of the caller, who may give up while it waits or runs
   * @throws what the task throws, what the caller's signal says, or SERVICE_UNAVAILABLE when the process stops
   */
  async run<T>(task: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.stopped) throw stopping();
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.all.add(abort);
    try {
      await this.turn(abort.signal);
      try {
        return await task(abort.signal);
      } finally {
        this.running -= 1;
        this.waiting.shift()?.();
      }
    } finally {
      this.all.delete(abort);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Ends what runs and what waits. */
  stop(): void {
    this.stopped = true;
    for (const abort of this.all) abort.abort(stopping());
  }

  /** Waits until one of the places is free, and takes it. */
  private async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.running < AT_ONCE) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        this.running += 1;
        resolve();
      };
      this.waiting.push(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
