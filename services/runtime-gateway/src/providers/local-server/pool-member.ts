import type { RuntimeHealth } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import type { ServerLoad } from '../provider';
import type { Choosable } from './choose-server';
import type { LocalServer } from './local-server';

/** How often a server that is left out is asked for its health. */
const LOOK_AGAIN_MS = 1_000;

/**
 * One server of a pool. It is left out when it cannot be reached or its health is not READY, and asked again every second until it
 * is; nothing is asked in the background while it is well.
 */
export class PoolMember implements Choosable, ServerLoad {
  running = 0;
  given_at = 0;
  private isWell = true;
  private isClosed = false;
  private timer: NodeJS.Timeout | null = null;
  /** What was found since it is left out. */
  private lastReport: RuntimeHealth | null = null;

  constructor(
    /** Without the name and password in it. */
    readonly address: string,
    readonly server: LocalServer,
    private readonly logger: Logger,
  ) {}

  get is_well(): boolean {
    return this.isWell;
  }

  /** Its health now; while it is left out, as it was found at the last look. */
  health(): Promise<RuntimeHealth> {
    return this.isWell || this.lastReport === null ? this.look() : Promise.resolve(this.lastReport);
  }

  /** Asks for its health, and goes by the answer. */
  async look(): Promise<RuntimeHealth> {
    const report = await this.server.health();
    if (report.status !== 'READY') this.leaveOut(report.status);
    else this.takeBack();
    this.lastReport = report;
    return report;
  }

  /** Gives it nothing until it is found well. @param reason a word for the log. */
  leaveOut(reason: string): void {
    // A chat that the end of the gateway cuts off fails too.
    if (this.isClosed) return;
    if (this.isWell) {
      this.isWell = false;
      this.lastReport = null;
      this.logger.warn({ server: this.address, reason }, 'a model server is left out until it is well');
    }
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.look();
    }, LOOK_AGAIN_MS);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.server.close();
  }

  private takeBack(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.isWell) return;
    this.isWell = true;
    this.logger.info({ server: this.address }, 'a model server is well again');
  }
}
