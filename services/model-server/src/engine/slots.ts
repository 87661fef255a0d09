import type { Sequence, Token } from './llama-library';
import { cachedStretches, stretchTokens } from './cached-prefix';

/** A talk goes on where this much of what is cached belongs to it. */
const OWN_SHARE = 0.7;

export interface Slot {
  readonly sequence: Sequence;
  /** What the sequence holds, in tokens. */
  cached: readonly Token[];
  /** Grows with every use. */
  usedAt: number;
}

/**
 * The slot that has to read least of a prompt without costing another talk its cache: the one whose talk goes on; else an
 * unused one; else the one that shares most, of equals the one that was used longest ago.
 */
export function chooseSlot<S extends Pick<Slot, 'cached' | 'usedAt'>>(
  free: readonly S[],
  tokens: readonly Token[],
  mayMove: boolean,
): S | null {
  const rated = free.map((slot) => ({ slot, kept: stretchTokens(cachedStretches(slot.cached, tokens, mayMove)) }));
  rated.sort((one, other) => other.kept - one.kept || one.slot.usedAt - other.slot.usedAt);
  const own = rated.find(({ slot, kept }) => kept > 0 && kept >= OWN_SHARE * slot.cached.length);
  const unused = rated.find(({ slot }) => slot.cached.length === 0);
  return (own ?? unused ?? rated[0])?.slot ?? null;
}

interface Waiting {
  readonly tokens: readonly Token[];
  take(slot: Slot): void;
}

/**
 * The sequences of the model. Only some of them are used at once: more would make each slower. The others keep what they
 * hold, so that a talk comes back to its own after others were answered. Who comes when enough are used waits, first come,
 * first served.
 */
export class Slots {
  private readonly free: Slot[];
  private used = 0;
  private waiting: Waiting[] = [];
  private uses = 0;

  constructor(
    sequences: readonly Sequence[],
    private readonly atOnce: number,
    private readonly mayMove: boolean,
  ) {
    this.free = sequences.map((sequence) => ({ sequence, cached: [], usedAt: 0 }));
  }

  /** Resolves with a slot of one's own, which has to be given back. @throws The signal's reason. */
  async take(tokens: readonly Token[], signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const slot = this.waiting.length === 0 ? this.choose(tokens) : null;
    if (slot !== null) return this.use(slot);
    return new Promise<Slot>((resolve, reject) => {
      const leave = (): void => {
        this.waiting = this.waiting.filter((one) => one !== entry);
        reject(signal.reason as Error);
      };
      const entry: Waiting = {
        tokens,
        take: (given) => {
          signal.removeEventListener('abort', leave);
          resolve(this.use(given));
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(entry);
    });
  }

  giveBack(slot: Slot): void {
    this.free.push(slot);
    this.used -= 1;
    const next = this.waiting[0];
    const chosen = next === undefined ? null : this.choose(next.tokens);
    if (next === undefined || chosen === null) return;
    this.waiting.shift();
    next.take(chosen);
  }

  /** null: enough are used. */
  private choose(tokens: readonly Token[]): Slot | null {
    return this.used < this.atOnce ? chooseSlot(this.free, tokens, this.mayMove) : null;
  }

  private use(slot: Slot): Slot {
    this.used += 1;
    this.free.splice(this.free.indexOf(slot), 1);
    this.uses += 1;
    slot.usedAt = this.uses;
    return slot;
  }
}
