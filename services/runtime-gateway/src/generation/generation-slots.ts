import { ServiceError } from '@parley/shared/contracts';

export interface GenerationLimits {
  /** Chats that may run at the runtime at once. */
  readonly slots: number;
  /** Chats that may wait for a slot; one more is refused. */
  readonly queue: number;
  /** Milliseconds that a chat may wait. */
  readonly wait_ms: number;
}

interface Waiting {
  grant(): void;
}

/** Gives back the slot; calling it again has no effect. */
export type ReleaseSlot = () => void;

/**
 * How many chats run at once. Who came first goes first, whoever it is: a debrief neither overtakes a turn nor starves
 * behind them. Who goes away while waiting leaves the queue.
 */
export class GenerationSlots {
  private running = 0;
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly limits: GenerationLimits) {}

  get runningCount(): number {
    return this.running;
  }

  get waitingCount(): number {
    return this.waiting.size;
  }

  /**
   * Resolves when a slot is free.
   * @throws ServiceError OVERLOADED when the queue is full, TURN_TIMEOUT after `wait_ms`; the signal's reason.
   */
  async take(signal: AbortSignal): Promise<ReleaseSlot> {
    signal.throwIfAborted();
    const free = this.takeFree();
    if (free !== null) return free;
    if (this.waiting.size >= this.limits.queue)
      throw new ServiceError(
        'OVERLOADED',
        'Too many conversations ask the model at once; try again in a few seconds.',
        {
          headers: { 'Retry-After': '2' },
        },
      );
    await this.wait(signal);
    return this.occupied();
  }

  /** A slot that is free now, with nobody waiting for it; null when there is none. */
  takeFree(): ReleaseSlot | null {
    return this.running < this.limits.slots && this.waiting.size === 0 ? this.occupy() : null;
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.waiting.delete(entry);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        grant: () => {
          settle();
          resolve();
        },
      };
      const onAbort = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        settle();
        reject(
          new ServiceError(
            'TURN_TIMEOUT',
            'The model was busy with other conversations for too long; try again later.',
          ),
        );
      }, this.limits.wait_ms);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(entry);
    });
  }

  private occupy(): ReleaseSlot {
    this.running += 1;
    return this.occupied();
  }

  /** The slot is counted already: a released one passes straight to the next in the queue. */
  private occupied(): ReleaseSlot {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = this.waiting;
      if (next === undefined) this.running -= 1;
      else next.grant();
    };
  }
}
