import { closeSync, openSync } from 'node:fs';
import os from 'node:os';
import { storageFaultText } from '@parley/shared/contracts';
import type { Logger } from './logger';

const LOOK_EVERY_MS = 10_000;

/**
 * A process that may open no more files closes connections as they come, without a word: Node tells nobody. Trying to open
 * one is what finds it out; the log is open already and can be written.
 */
export class DescriptorWatch {
  private isUsedUp = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly logger: Logger,
    private readonly open: () => number = () => openSync(os.devNull, 'r'),
  ) {}

  start(): void {
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  /** Writes a line when no more files can be opened, and one when they can again. */
  look(): void {
    let code: string | undefined;
    try {
      closeSync(this.open());
    } catch (error) {
      code = (error as NodeJS.ErrnoException).code;
    }
    const isUsedUp = code === 'EMFILE' || code === 'ENFILE';
    if (isUsedUp && !this.isUsedUp)
      this.logger.error({ code, reason: 'too_many_files' }, storageFaultText('too_many_files'));
    if (!isUsedUp && this.isUsedUp) this.logger.info({ reason: 'too_many_files' }, 'files can be opened again');
    this.isUsedUp = isUsedUp;
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }
}
