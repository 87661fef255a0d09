import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import {
  cancelTurnClaims,
  CLAIM_LEASE_MS,
  findSession,
  findTurnClaim,
  releaseTurnClaim,
  renewTurnClaims,
  spendTurnClaim,
  takeTurnClaim,
  type Database,
  type HeldClaim,
  type Transaction,
} from '@parley/shared/store';
import { keyOfOtherText, turnAborted, turnInProgress } from '../turn/turn-errors';
import type { Bus } from './bus';
import type { TurnCall, TurnClaims } from './turn-claims';

/** Three tries before a lease is over. */
const RENEW_MS = CLAIM_LEASE_MS / 3;
/** How often a call looks whether the same call elsewhere is over. */
const LOOK_MS = 50;
/** How long an overtaken turn elsewhere is given to fall silent: what it stores has lost already. */
const SILENCE_MS = 100;
const SILENCE_LOOK_MS = 5;

export interface StoredTurnClaimsOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Keys the digests of texts, so that a row tells nobody what was said. */
  readonly digestKey: Buffer;
  readonly bus: Bus;
}

/** Turns are claimed by rows of the database, since several processes run them. */
export class StoredTurnClaims implements TurnClaims {
  private readonly owner = randomBytes(12).toString('base64url');
  /** What this process has, and how to abort what runs. */
  private readonly held = new Map<string, AbortController>();
  private timer: NodeJS.Timeout | null = null;
  private hasClosed = false;

  constructor(private readonly options: StoredTurnClaimsOptions) {}

  private hashOf({ sessionId, text }: TurnCall): string {
    return createHmac('sha256', this.options.digestKey).update(`${sessionId}\n${text}`).digest('base64url');
  }

  async take(call: TurnCall, abort: AbortController): Promise<ServiceError | null> {
    const { database } = this.options;
    const { sessionId, key } = call;
    const claim = { session_id: sessionId, key, text_hash: this.hashOf(call), owner: this.owner };
    for (;;) {
      abort.signal.throwIfAborted();
      if (await database.write((transaction) => takeTurnClaim(transaction, claim))) {
        this.held.set(sessionId, abort);
        this.renewLater();
        return null;
      }
      const holder = await findTurnClaim(database, sessionId);
      // The turn itself says that there is no such session.
      if (holder === null && (await findSession(database, sessionId)) === null) return null;
      if (holder === null || !standsFor(holder)) continue;
      if (key === null || holder.key !== key) return turnInProgress();
      if (holder.text_hash !== claim.text_hash) throw keyOfOtherText();
      await this.over(holder, abort.signal);
    }
  }

  /** Waits until a turn elsewhere is over. @throws ServiceError TURN_ABORTED when it was overtaken */
  private async over(holder: HeldClaim, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      const now = await findTurnClaim(this.options.database, holder.session_id);
      if (now === null || now.owner !== holder.owner) return;
      if (now.cancel) throw turnAborted();
      if (!now.live) return;
    }
  }

  spend(transaction: Transaction, sessionId: string): Promise<boolean> {
    return spendTurnClaim(transaction, sessionId, this.owner);
  }

  async release(sessionId: string, isStored: boolean): Promise<void> {
    const { database, bus, logger } = this.options;
    if (!this.held.delete(sessionId) || isStored) return;
    try {
      // Nobody shall hear the next turn before the end of this one.
      await bus.flushed(sessionId);
      await database.write((transaction) => releaseTurnClaim(transaction, sessionId, this.owner));
    } catch (error) {
      logger.info({ session_id: sessionId, err: error }, 'a claim could not be given up; it runs out by itself');
    }
  }

  async overtake(sessionId: string | null): Promise<void> {
    const { database, bus } = this.options;
    const holder = sessionId === null ? null : await findTurnClaim(database, sessionId);
    const runs = holder !== null && standsFor(holder);
    if (sessionId === null || runs)
      await database.write((transaction) => cancelTurnClaims(transaction, sessionId ?? undefined));
    // Also to one that is on its way to its claim.
    bus.order({ kind: 'cancel', session: sessionId });
    if (runs) await this.silence(holder);
  }

  private async silence(holder: HeldClaim): Promise<void> {
    for (const until = performance.now() + SILENCE_MS; performance.now() < until;) {
      const now = await findTurnClaim(this.options.database, holder.session_id);
      if (now === null || now.owner !== holder.owner || !now.live) return;
      await sleep(SILENCE_LOOK_MS);
    }
  }

  private renewLater(): void {
    if (this.timer !== null || this.hasClosed || this.held.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.renew().finally(() => this.renewLater());
    }, RENEW_MS);
    this.timer.unref();
  }

  private async renew(): Promise<void> {
    const before = [...this.held];
    if (before.length === 0) return;
    try {
      const ids = before.map(([sessionId]) => sessionId);
      const still = new Set(
        await this.options.database.write((transaction) => renewTurnClaims(transaction, this.owner, ids)),
      );
      for (const [sessionId, abort] of before)
        if (!still.has(sessionId) && this.held.get(sessionId) === abort) abort.abort(turnAborted());
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the claims of running turns could not be renewed');
    }
  }

  close(): void {
    this.hasClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }
}

const standsFor = ({ cancel, live }: HeldClaim): boolean => live && !cancel;
