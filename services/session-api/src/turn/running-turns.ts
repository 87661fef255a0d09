import { ServiceError } from '@parley/shared/contracts';

export interface RunningTurn<T> {
  readonly abort: AbortController;
  readonly key: string | null;
  /** What the player says; a repeat with the same key must say the same. */
  readonly text: string;
  /** Settles when the turn has. */
  readonly done: Promise<T>;
}

const aborted = (): ServiceError =>
  new ServiceError(
    'TURN_ABORTED',
    'The turn was overtaken and nothing of it was stored. Look at the session before you go on.',
  );

/** The turns that run in this process: one at a time per session. */
export class RunningTurns<T> {
  private readonly turns = new Map<string, RunningTurn<T>>();

  constructor(private readonly limit: number) {}

  get count(): number {
    return this.turns.size;
  }

  of(sessionId: string): RunningTurn<T> | undefined {
    return this.turns.get(sessionId);
  }

  /** Whether a turn of this session would be refused now. */
  isBusy(sessionId: string): boolean {
    return this.turns.has(sessionId) || this.turns.size >= this.limit;
  }

  /**
   * Claims the session for a turn and runs it.
   * @throws ServiceError TURN_IN_PROGRESS or OVERLOADED.
   */
  run(sessionId: string, key: string | null, text: string, turn: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.turns.has(sessionId))
      throw new ServiceError('TURN_IN_PROGRESS', 'A turn of this session is still running; wait for its answer.');
    if (this.turns.size >= this.limit)
      throw new ServiceError('OVERLOADED', 'Too many turns run at once; try again in a moment.', {
        headers: { 'Retry-After': '1' },
      });
    const abort = new AbortController();
    const done = Promise.resolve()
      .then(() => turn(abort.signal))
      .finally(() => this.turns.delete(sessionId));
    this.turns.set(sessionId, { abort, key, text, done });
    return done;
  }

  /** Aborts the session's running turn and waits until it has settled. A turn that is being stored already is stored. */
  async abort(sessionId: string): Promise<void> {
    const turn = this.turns.get(sessionId);
    if (turn === undefined) return;
    turn.abort.abort(aborted());
    await turn.done.catch(() => undefined);
  }

  /** Resolves when the turns that run now have settled. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.turns.values()].map((turn) => turn.done));
  }

  async abortAll(): Promise<void> {
    await Promise.all([...this.turns.keys()].map((sessionId) => this.abort(sessionId)));
  }
}
