import { get } from 'node:http';
import { INTERNAL_KEY_HEADER, PROBE_PATHS, type ServiceName } from '@parley/shared/contracts';
import { isAlive, ownPortOf, readRunRecords, type RunRecord } from '@parley/shared/process-identity';
import type { Logger } from './logger';

/** Every process is asked this often, and may take as long to answer. */
const PERIOD_MS = 5_000;
/** A timer that is later than this, or clocks that differ by more, tell of a machine that slept or is far too busy. */
const TOLERATED_DELAY_MS = 2_000;

/** `silent`: a connection is taken, or hangs, and no answer comes. Nothing listens at all while a process starts: `away`. */
export type Answer = 'answered' | 'away' | 'silent';

export interface PeerWatchOptions {
  readonly peers: readonly ServiceName[];
  /** The processes of a peer as they can be proven to be at this moment, if they are ours to end. */
  readonly find: (peer: ServiceName) => readonly RunRecord[];
  readonly ask: (port: number, timeoutMs: number) => Promise<Answer>;
  /** Ends that very process. @returns false when it was gone already */
  readonly end: (record: RunRecord) => boolean;
  /** Milliseconds without any answer after which a process is ended. */
  readonly hungAfterMs: number;
  /** Milliseconds of a clock that never jumps, and of the clock on the wall. */
  readonly monotonic: () => number;
  readonly wall: () => number;
  readonly logger: Logger;
}

/**
 * Watches other processes of the set from outside: one that is stopped or runs in a circle cannot notice it itself. A peer that
 * lets every question of `hungAfterMs` go unanswered is ended, and the supervisor starts it again. Nothing is concluded from a
 * time in which this process itself was late, or the machine slept: then the counting begins anew.
 */
export class PeerWatch {
  /** Since when each process that does not answer has been silent. */
  private silentSince: ReadonlyMap<string, number> = new Map();
  private readonly periodMs: number;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private last: { readonly monotonic: number; readonly wall: number };

  constructor(private readonly options: PeerWatchOptions) {
    this.periodMs = Math.min(PERIOD_MS, options.hungAfterMs / 3);
    this.last = { monotonic: options.monotonic(), wall: options.wall() };
  }

  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.look().finally(() => this.start()), this.periodMs);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Asks every peer once and ends the one that has been silent for too long. */
  async look(): Promise<void> {
    const { peers, find, ask, monotonic, wall } = this.options;
    const before = this.wasAway() ? new Map<string, number>() : this.silentSince;
    const silent = new Map<string, number>();
    const asked = monotonic();
    await Promise.all(
      peers.flatMap(find).map(async (record) => {
        const port = ownPortOf(record);
        if (port === null || (await ask(port, this.periodMs)) !== 'silent') return;
        const name = `${record.pid} ${record.started}`;
        const since = before.get(name) ?? asked;
        if (!this.wasLate(asked) && !this.endIfHung(record, since)) silent.set(name, since);
      }),
    );
    this.silentSince = silent;
    this.last = { monotonic: monotonic(), wall: wall() };
  }

  private endIfHung(record: RunRecord, since: number): boolean {
    const duration = this.options.monotonic() - since;
    if (duration < this.options.hungAfterMs) return false;
    if (this.options.end(record))
      this.options.logger.error(
        { peer: record.service, pid: record.pid, port: record.port, duration_ms: Math.round(duration) },
        'peer did not answer and was ended; the supervisor starts it again',
      );
    return true;
  }

  /** Whether the time for an answer was over long ago when this process came to see it. */
  private wasLate(asked: number): boolean {
    return this.options.monotonic() - asked > this.periodMs + TOLERATED_DELAY_MS;
  }

  /** Whether more time has passed than between two looks, on either clock: then peers had no fair chance to answer. */
  private wasAway(): boolean {
    const monotonic = this.options.monotonic() - this.last.monotonic;
    const wall = this.options.wall() - this.last.wall;
    return monotonic > this.periodMs + TOLERATED_DELAY_MS || Math.abs(wall - monotonic) > TOLERATED_DELAY_MS;
  }
}

/**
 * Asks a process of this machine whether it lives.
 * @param internalKey which the set has, if any: without it the question would count as an error of a stranger's there
 */
export function askWhetherAlive(port: number, timeoutMs: number, internalKey: string | null): Promise<Answer> {
  const headers = internalKey === null ? {} : { [INTERNAL_KEY_HEADER]: internalKey };
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: PROBE_PATHS.livez, headers, agent: false }, (response) => {
      clearTimeout(timer);
      response.destroy();
      resolve('answered');
    });
    const timer = setTimeout(() => {
      resolve('silent');
      request.destroy();
    }, timeoutMs);
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // Whatever closes the connection itself runs, or has just ended.
      resolve(error.code === 'ECONNREFUSED' ? 'away' : 'answered');
    });
  });
}

/** The processes of a peer that this supervisor started and will start again, unless a debugger may have stopped them. */
export function findSupervised(dataDir: string, supervisor: string, peer: ServiceName): RunRecord[] {
  return readRunRecords(dataDir, peer).filter(
    (record) => record.supervisor === supervisor && !record.debugged && isAlive(record),
  );
}
