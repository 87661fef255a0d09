import { statfs } from 'node:fs/promises';
import path from 'node:path';
import {
  storageFaultText,
  storageHealthOf,
  STORAGE_FAULT_KINDS,
  type Health,
  type StorageFault,
  type StorageWarning,
} from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import {
  BALLAST_BYTES,
  giveBackPages,
  hasBallast,
  keepBallast,
  probeStorage,
  prune,
  readFindings,
  writeFindings,
  type Database,
} from '@parley/shared/store';

export interface StorageLimits {
  /** A write-ahead log that is larger is warned of; bytes. */
  readonly logBytes: number;
  /** Milliseconds until the first look, out of the way of the start. */
  readonly firstLookMs: number;
  readonly lookEveryMs: number;
  /** Fewer bytes free on the disk are warned of, although the ballast lies there. */
  readonly freeBytes: number;
  /** How often what has served its time is deleted, and room that it left is given back. */
  readonly tidyEveryMs: number;
}

/** The log is written back every four megabytes and cut at 64: it grows beyond this only while somebody reads on and on. */
const DEFAULTS: StorageLimits = {
  logBytes: 256 * 1024 * 1024,
  firstLookMs: 1_000,
  lookEveryMs: 60_000,
  freeBytes: BALLAST_BYTES,
  tidyEveryMs: 3_600_000,
};

export interface StorageWatchOptions {
  readonly limits?: Partial<StorageLimits>;
  /** What is wrong with what several processes share beside the database; null when nothing is. */
  readonly shared?: () => StorageWarning | null;
}

/** For how long a log that was taken away is told of. */
const TOLD_MS = 7 * 24 * 3_600_000;

/** With less than this free nothing more is stored, the ballast set apart. */
const FULL_BYTES = 1024 * 1024;

const faultOf = ({ code }: StorageWarning): StorageFault | null =>
  STORAGE_FAULT_KINDS.find((fault) => fault === code) ?? null;
const isFault = (warning: StorageWarning): boolean => faultOf(warning) !== null;

/**
 * Looks after the database and its disk: keeps the ballast, tries whether files can be written, reads through a database that
 * was not closed in order, deletes what has served its time, and says what needs a person.
 */
export class StorageWatch {
  private readonly limits: StorageLimits;
  /** What was logged already and still holds. */
  private told: ReadonlySet<StorageWarning['code']> = new Set();
  private hasLooked = false;
  /** Bytes free on the disk at the last look; null when unknown. */
  private free: number | null = null;
  /** What the last try to write beside the database met. */
  private probed: StorageFault | null = null;
  private tidiedAt = -Infinity;
  private hasReadThrough = false;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => Date,
    private readonly more: StorageWatchOptions = {},
  ) {
    this.limits = { ...DEFAULTS, ...more.limits };
  }

  start(): void {
    this.lookAfter(this.limits.firstLookMs);
  }

  private lookAfter(ms: number): void {
    this.timer = setTimeout(
      () => void this.check().then(() => this.timer !== null && this.lookAfter(this.limits.lookEveryMs)),
      ms,
    );
    this.timer.unref();
  }

  /** Looks now, and makes the ballast where it is missing; one look after the other. Never rejects. */
  check(): Promise<void> {
    this.looking = this.looking.then(() => this.look());
    return this.looking;
  }

  /** What needs a person now, the gravest first. Changes nothing. */
  warnings(): StorageWarning[] {
    const bytes = this.database.dialect.logSizeInBytes();
    const findings = this.findings();
    const isDamaged = findings !== null && findings.check !== null && findings.check !== 'ok';
    const faults = new Set([
      this.database.dialect.fault(),
      this.probed,
      isDamaged ? ('database_damaged' as const) : null,
    ]);
    const isLogRemoved =
      findings?.log_removed === true && this.now().getTime() - Date.parse(findings.found_at) < TOLD_MS;
    const shared = this.more.shared?.() ?? null;
    const hasNoRoom = this.free !== null && this.free < this.limits.freeBytes;
    return [
      ...[...faults].flatMap((code) => (code === null ? [] : [{ code, message: storageFaultText(code) }])),
      ...(shared === null ? [] : [shared]),
      ...(isLogRemoved ? [LOG_REMOVED] : []),
      ...(bytes > this.limits.logBytes ? [logIsLarge(bytes)] : []),
      ...(this.hasLooked && (hasNoRoom || !hasBallast(this.database)) ? [DISK_NEARLY_FULL] : []),
    ];
  }

  /** As health tells it. */
  health(): Health['storage'] {
    const warnings = this.warnings();
    const [gravest] = warnings;
    const fault = gravest === undefined ? null : faultOf(gravest);
    const isFull = this.free !== null && this.free < FULL_BYTES;
    const status = fault !== null ? storageHealthOf(fault) : isFull ? 'full' : 'ok';
    const told = fault === null ? warnings.find(({ code }) => code === 'disk_nearly_full') : gravest;
    return { status, message: status === 'ok' ? null : (told?.message ?? null), warnings };
  }

  /** What lies in the data folder about a file says nothing of a server's database. */
  private findings(): ReturnType<typeof readFindings> {
    return this.database.dialect.file === null ? null : readFindings(this.database.dataDir);
  }

  private async look(): Promise<void> {
    await this.step('the room on the disk', async () => {
      const { file } = this.database.dialect;
      // A server looks after the disk that it keeps the data on.
      if (file === null) return;
      const { bavail, bsize } = await statfs(path.dirname(file));
      this.free = bavail * bsize;
      await keepBallast(this.database);
      this.hasLooked = true;
    });
    await this.step('writing', async () => {
      this.probed = await probeStorage(this.database);
    });
    await this.step('reading through the database', () => this.readThrough());
    await this.step('tidying', () => this.tidy());
    await this.step('telling of it', () => this.tell());
  }

  private async tell(): Promise<void> {
    const found = this.warnings();
    for (const { code, message } of found)
      if (!this.told.has(code))
        this.logger.warn({ reason: code, bytes: this.database.dialect.logSizeInBytes() }, message);
    this.told = new Set(found.map((one) => one.code));
  }

  /** One that fails leaves the others to do their work; what is wrong with the storage is told as a warning. */
  private async step(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error({ err: error, action: what }, 'cannot look after the storage');
    }
  }

  /** After an end without closing; and again while the last reading found damage, which may be mended since. */
  private async readThrough(): Promise<void> {
    const { dataDir, dialect } = this.database;
    const findings = this.findings();
    const isToBeRead =
      findings?.check === null || (!this.hasReadThrough && findings !== null && findings.check !== 'ok');
    if (!isToBeRead) return;
    const damage = await dialect.findDamage();
    this.hasReadThrough = true;
    // What was noticed meanwhile stays to be looked at.
    if (readFindings(dataDir)?.found_at === findings.found_at)
      writeFindings(dataDir, { ...findings, check: damage ?? 'ok' });
    this.logger.info({ state: damage === null ? 'sound' : 'damaged' }, 'read through the database');
  }

  private async tidy(): Promise<void> {
    if (performance.now() - this.tidiedAt < this.limits.tidyEveryMs || this.warnings().some(isFault)) return;
    this.tidiedAt = performance.now();
    const count = await prune(this.database, this.now());
    await giveBackPages(this.database);
    if (count > 0) this.logger.info({ count }, 'rows that have served their time were deleted');
  }

  /** Resolves when no look is under way any more. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.looking;
  }
}

const logIsLarge = (bytes: number): StorageWarning => ({
  code: 'log_large',
  message: `The log of the database has grown to ${Math.ceil(bytes / 1e6)} MB, because a program has been reading the database for long: close other programs that have it open, and when there is none, npm stop and npm start.`,
});

const LOG_REMOVED: StorageWarning = {
  code: 'log_removed',
  message:
    'Parley was ended without closing its database, and the log with the last turns (parley.sqlite-wal) was gone at the next start: look whether your last talks are complete, and restore a backup if one is missing.',
};

const DISK_NEARLY_FULL: StorageWarning = {
  code: 'disk_nearly_full',
  message:
    'The disk with the data folder is nearly full: free some space, or delete old sessions, before turns can no longer be stored.',
};
