import { findSession, sessionsInDebrief, type Database } from '@parley/shared/store';
import type { Logger } from '@parley/shared/service';
import type { SocketHub } from '../live/socket-hub';
import { stateMessage } from '../sessions/session-view';

/** The worker announces a debrief; should the announcement be lost, the database is looked at this often. */
const POLL_MS = 250;
/**
 * The debrief of a session that is not saved comes with its announcement only: the poll leaves it this long to arrive
 * before it answers with what is stored.
 */
const ANNOUNCEMENT_MS = 2_000;

interface DebriefWaitingOptions {
  readonly database: Database;
  readonly hub: SocketHub;
  /** Whether this process is the first of several that tells something. */
  readonly isFirst: (what: string) => Promise<boolean>;
  /** Whether this process holds texts of the session in memory, so that an announcement is worth waiting for. */
  readonly isUnsaved: (sessionId: string) => boolean;
  readonly logger: Logger;
}

/** The sessions whose debrief is being made: tells sockets and waiting callers, once each, when it is there. */
export class DebriefWaiting {
  private readonly sessions = new Map<string, Set<() => void>>();
  /** When the poll first saw an unsaved session's debrief, in milliseconds of the process's clock. */
  private readonly found = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(private readonly options: DebriefWaitingOptions) {}

  /** Takes up the sessions that were generating when an earlier process stopped. */
  async resume(): Promise<void> {
    for (const id of await sessionsInDebrief(this.options.database)) this.watch(id);
  }

  watch(sessionId: string): void {
    if (!this.sessions.has(sessionId)) this.sessions.set(sessionId, new Set());
    this.schedule();
  }

  /** Sessions whose debrief is waited for. */
  ids(): string[] {
    return [...this.sessions.keys()];
  }

  private schedule(): void {
    if (this.timer !== null || this.stopped || this.sessions.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.poll()
        .catch((error: unknown) => this.options.logger.error({ err: error }, 'cannot look for debriefs'))
        .finally(() => this.schedule());
    }, POLL_MS);
  }

  private async poll(): Promise<void> {
    const ids = [...this.sessions.keys()].slice(0, 500);
    const still = new Set(await sessionsInDebrief(this.options.database, ids));
    for (const id of ids) {
      if (still.has(id)) continue;
      const found = this.found.get(id) ?? performance.now();
      if (this.options.isUnsaved(id) && performance.now() - found < ANNOUNCEMENT_MS) this.found.set(id, found);
      else await this.settle(id);
    }
  }

  /** The debrief is stored, or the session is gone: tells everybody who waits. A second call does nothing. */
  async settle(sessionId: string): Promise<void> {
    const waiting = this.sessions.get(sessionId);
    if (waiting === undefined) return;
    this.sessions.delete(sessionId);
    this.found.delete(sessionId);
    const session = await findSession(this.options.database, sessionId);
    if (session?.flow_state === 'DebriefReady' && (await this.options.isFirst(`debrief:${sessionId}`)))
      (await this.options.hub.channel(sessionId))?.publish(stateMessage(session));
    for (const wake of [...waiting]) wake();
  }

  /** Nobody is told any more. */
  private settleAll(): void {
    const all = [...this.sessions.values()];
    this.sessions.clear();
    this.found.clear();
    for (const waiting of all) for (const wake of [...waiting]) wake();
  }

  /** Resolves true when the debrief is there (or the session gone), false when the time is over or the caller has left. */
  wait(sessionId: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    this.watch(sessionId);
    return new Promise((resolve) => {
      const waiting = this.sessions.get(sessionId);
      const finish = (ready: boolean): void => {
        clearTimeout(deadline);
        signal.removeEventListener('abort', leave);
        waiting?.delete(wake);
        resolve(ready);
      };
      const wake = (): void => finish(true);
      const leave = (): void => finish(false);
      const deadline = setTimeout(leave, timeoutMs);
      signal.addEventListener('abort', leave, { once: true });
      waiting?.add(wake);
    });
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.settleAll();
  }
}
