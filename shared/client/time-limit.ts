import type { RouteShape } from '@parley/shared/contracts';

/** How long a read of another process may take unless the configuration says otherwise; milliseconds. */
const PEER_TIMEOUT_MS = 10_000;

/** Another process of the set is there, but says nothing: it hangs, or was stopped. */
export class PeerSilentError extends Error {
  constructor(milliseconds: number) {
    super(`no sign of life for ${milliseconds} ms`);
    this.name = 'PeerSilentError';
  }
}

/** The time limit of a route, in milliseconds, where a read has `readMs`. */
export const timeLimitOf = (route: RouteShape, readMs: number = PEER_TIMEOUT_MS): number =>
  (route.patience ?? 1) * readMs;

/**
 * Says when a peer has been silent for too long. A process that was busy for so long itself finds the timer and what the
 * peer sent meanwhile at the same time: what was sent is looked at first.
 */
export class SilenceWatch {
  private timer: NodeJS.Timeout | null = null;
  private heard = 0;

  constructor(
    private readonly milliseconds: number,
    private readonly onSilence: (reason: PeerSilentError) => void,
  ) {}

  /** The peer gave a sign of life, or it is its turn only now. */
  refresh(): void {
    this.heard += 1;
    if (this.timer === null) this.timer = setTimeout(() => this.listenOnceMore(), this.milliseconds);
    else this.timer.refresh();
  }

  /** It is not the peer's turn. */
  rest(): void {
    this.heard += 1;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private listenOnceMore(): void {
    const { heard } = this;
    setImmediate(() => {
      if (this.heard === heard) this.onSilence(new PeerSilentError(this.milliseconds));
    });
  }
}

/**
 * Gives `work` a signal that aborts after `milliseconds`, or with the caller's own. With a timer of its own: on Node 20
 * `AbortSignal.any` of a timeout and another signal was seen never to fire.
 * @throws what `work` throws; it is expected to throw the signal's reason (PeerSilentError, or the caller's).
 */
export async function withinTime<T>(
  milliseconds: number,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  const abort = new AbortController();
  const follow = (): void => abort.abort(callerSignal?.reason);
  const timer = setTimeout(() => setImmediate(() => abort.abort(new PeerSilentError(milliseconds))), milliseconds);
  callerSignal?.addEventListener('abort', follow, { once: true });
  try {
    return await work(abort.signal);
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', follow);
  }
}
