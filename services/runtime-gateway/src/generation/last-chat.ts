import type { RuntimeHealth } from '@parley/shared/contracts';
import { SetUpError } from '../providers/set-up-error';

/**
 * How the last chat went. A server whose probe is well may refuse every chat (a missing key, an address with a path too
 * much, a context too small): the stand-in line would be all that a player ever sees, and health would call it ready.
 */
export class LastChat {
  private fault: SetUpError | null = null;

  /** Only failures of set-up are remembered: others pass by themselves, and their own answer says what to do. */
  failed(error: unknown): void {
    if (error instanceof SetUpError) this.fault = error;
  }

  succeeded(): void {
    this.fault = null;
  }

  /**
   * The runtime's health in the light of it (docs/interface.md, Runtimes): READY only when chats are not known to be
   * refused.
   */
  judged(health: RuntimeHealth): RuntimeHealth {
    if (this.fault === null || health.status !== 'READY') return health;
    return { ...health, status: 'ERROR', message: this.fault.message };
  }
}
