import type { ServiceError } from '@parley/shared/contracts';
import type { Transaction } from '@parley/shared/store';
import type { TurnCall, TurnClaims } from '../live/turn-claims';
import { keyOfOtherText, tooManyTurns, turnAborted, turnInProgress } from './turn-errors';

interface RunningTurn<T> extends TurnCall {
  readonly abort: AbortController;
  /** Settles when the turn has. */
  readonly done: Promise<T>;
}

/** The place of a call among the turns of its session. */
export class TurnPlace {
  private isSpent = false;

  /** @param refusal why no turn may be taken here; null where one may. */
  constructor(
    private readonly claims: TurnClaims,
    private readonly sessionId: string,
    readonly signal: AbortSignal,
    private readonly refusal: ServiceError | null,
  ) {}

  /** From here on nobody else takes a turn of this session. @throws ServiceError TURN_IN_PROGRESS, OVERLOADED */
  require(): void {
    if (this.refusal !== null) throw this.refusal;
  }

  /** In the transaction that stores the turn, before anything is written. @throws ServiceError TURN_ABORTED */
  async confirm(transaction: Transaction): Promise<void> {
    this.signal.throwIfAborted();
    if (!(await this.claims.spend(transaction, this.sessionId))) throw turnAborted();
    this.isSpent = true;
  }

  get isConfirmed(): boolean {
    return this.isSpent;
  }
}

/** The turns of this process: one at a time per session, whatever runs elsewhere. */
export class RunningTurns<T> {
  private readonly turns = new Map<string, RunningTurn<T>>();

  constructor(
    private readonly limit: number,
    private readonly claims: TurnClaims,
  ) {}

  get count(): number {
    return this.turns.size;
  }

  /** Sessions of which a turn runs in this process. */
  ids(): string[] {
    return [...this.turns.keys()];
  }

  /** Whether a turn of the session runs in this process. */
  has(sessionId: string): boolean {
    return this.turns.has(sessionId);
  }

  /**
   * Runs `turn` in the place that the call gets: that of the session's one turn, or one in which no turn may be taken, but an
   * earlier answer given. A repeat of the call that runs gets its answer.
   * @throws ServiceError IDEMPOTENCY_KEY_REUSED, TURN_ABORTED; what `turn` throws
   */
  enter(call: TurnCall, turn: (place: TurnPlace) => Promise<T>): Promise<T> {
    const { sessionId, key, text } = call;
    const running = this.turns.get(sessionId);
    if (running !== undefined && key !== null && running.key === key)
      return running.text === text ? running.done : Promise.reject(keyOfOtherText());
    const abort = new AbortController();
    const placeWith = (refusal: ServiceError | null): TurnPlace =>
      new TurnPlace(this.claims, sessionId, abort.signal, refusal);
    if (running !== undefined) return turn(placeWith(turnInProgress()));
    if (this.turns.size >= this.limit) return turn(placeWith(tooManyTurns()));
    const done = Promise.resolve()
      .then(async () => {
        const refusal = await this.claims.take(call, abort);
        const place = placeWith(refusal);
        return refusal === null ? this.hold(place, sessionId, turn) : turn(place);
      })
      .finally(() => this.turns.delete(sessionId));
    this.turns.set(sessionId, { ...call, abort, done });
    return done;
  }

  private async hold(place: TurnPlace, sessionId: string, turn: (place: TurnPlace) => Promise<T>): Promise<T> {
    let isStored = false;
    try {
      const answer = await turn(place);
      isStored = place.isConfirmed;
      return answer;
    } finally {
      await this.claims.release(sessionId, isStored);
    }
  }

  /** As enter, for a call that has no use for any place but that of the one turn. */
  run(call: TurnCall, turn: (place: TurnPlace) => Promise<T>): Promise<T> {
    return this.enter(call, async (place) => {
      place.require();
      return turn(place);
    });
  }

  /** Aborts the session's running turn, wherever it runs, and waits until it has settled. One that is being stored is stored. */
  async abort(sessionId: string): Promise<void> {
    await this.abortHere(sessionId);
    await this.claims.overtake(sessionId);
  }

  /** The same in this process alone. */
  async abortHere(sessionId: string): Promise<void> {
    const turn = this.turns.get(sessionId);
    if (turn === undefined) return;
    turn.abort.abort(turnAborted());
    await turn.done.catch(() => undefined);
  }

  /** Resolves when the turns that run now have settled. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.turns.values()].map((turn) => turn.done));
  }

  async abortAll(): Promise<void> {
    await this.abortAllHere();
    await this.claims.overtake(null);
  }

  async abortAllHere(): Promise<void> {
    await Promise.all([...this.turns.keys()].map((sessionId) => this.abortHere(sessionId)));
  }
}
