import type { StorageWarning } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import { hasBallast, keepBallast, type Database } from '@parley/shared/store';

export interface StorageLimits {
  /** A write-ahead log that is larger is warned of; bytes. */
  readonly logBytes: number;
  /** Milliseconds until the first look, out of the way of the start. */
  readonly firstLookMs: number;
  readonly lookEveryMs: number;
}

/** The log is written back every four megabytes and cut at 64: it grows beyond this only while somebody reads on and on. */
const DEFAULTS: StorageLimits = { logBytes: 256 * 1024 * 1024, firstLookMs: 1_000, lookEveryMs: 60_000 };

/** Looks after the room on the disk: keeps the ballast, and says when the log of the database or the disk needs a person. */
export class StorageWatch {
  private readonly limits: StorageLimits;
  /** What was logged already and still holds. */
  private told: ReadonlySet<StorageWarning['code']> = new Set();
  private hasLooked = false;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    limits: Partial<StorageLimits> = {},
  ) {
    this.limits = { ...DEFAULTS, ...limits };
  }

  start(): void {
    this.lookAfter(this.limits.firstLookMs);
  }

  private lookAfter(ms: number): void {
    this.timer = setTimeout(() => void this.check().then(() => this.timer !== null && this.lookAfter(this.limits.lookEveryMs)), ms); // prettier-ignore
    this.timer.unref();
  }

  /** Looks now, and makes the ballast where it is missing; one look after the other. Never rejects. */
  check(): Promise<void> {
    this.looking = this.looking.then(() => this.look());
    return this.looking;
  }

  /** What needs a person now. Changes nothing. */
  warnings(): StorageWarning[] {
    const bytes = this.database.dialect.logSizeInBytes();
    return [
      ...(bytes > this.limits.logBytes ? [logIsLarge(bytes)] : []),
      ...(this.hasLooked && !hasBallast(this.database) ? [DISK_NEARLY_FULL] : []),
    ];
  }

  private async look(): Promise<void> {
    try {
      await keepBallast(this.database);
      this.hasLooked = true;
      const found = this.warnings();
      for (const { code, message } of found)
        if (!this.told.has(code))
          this.logger.warn({ reason: code, bytes: this.database.dialect.logSizeInBytes() }, message);
      this.told = new Set(found.map((one) => one.code));
    } catch (error) {
      this.logger.error({ err: error }, 'cannot look after the storage');
    }
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

const DISK_NEARLY_FULL: StorageWarning = {
  code: 'disk_nearly_full',
  message:
    'The disk with the data folder is nearly full: free some space, or delete old sessions, before turns can no longer be stored.',
};
