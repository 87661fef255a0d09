import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis, RedisOptions } from 'ioredis';
import { ServiceError, StartError } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import type { SharedFault } from './presence';

/** A command that is not answered by then was lost with its connection; milliseconds. */
const ANSWER_MS = 1_500;
const CONNECT_MS = 2_000;
const RECONNECT_MS = 250;
const PING_EVERY_MS = 2_000;
/** A Redis that the machine starts at the same time as us needs a while. */
const START_WAIT_MS = 5_000;
const OLDEST_VERSION = 7;
/** For how long a command that was refused is told of; milliseconds. */
const REFUSAL_TOLD_MS = 10_000;

/** What is wrong with Redis. */
export type RedisFault = SharedFault['code'];

const FAULT_TEXT: Readonly<Record<RedisFault, string>> = {
  redis_unreachable:
    'Redis does not answer: start it, or see to the network between; talks that are saved go on, and Parley goes on by itself as soon as it answers.',
  redis_refused:
    'Redis refuses what Parley needs: see that it is version 7 or later (or Valkey 8), that the user and password of SIM_REDIS_URL are right and may ask for CONFIG GET, and that its memory is not used up; talks that are saved go on.',
  redis_persistent:
    'Redis writes what it holds to a disk, where the words of talks that are not saved must not be: set its save to "" and its appendonly to no.',
};
export const redisFaultText = (fault: RedisFault): string => FAULT_TEXT[fault];

/** What a caller is told whose call needs Redis. */
export const redisUnavailable = (fault: RedisFault, cause?: unknown): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The words of this talk are not saved, and where they are kept while it runs cannot be reached now. ${FAULT_TEXT[fault]}`,
    { details: { service: 'redis', reason: fault }, headers: { 'Retry-After': '1' }, cause },
  );

const OPTIONS: RedisOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  connectTimeout: CONNECT_MS,
  keepAlive: 10_000,
  retryStrategy: () => RECONNECT_MS,
};

/** @returns the address without user and password. */
function labelOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/** What is done each time that both connections are there again: before anybody uses them, and then. */
interface Return {
  before(): Promise<void>;
  after(): Promise<void>;
}

/** The two connections to Redis: one for commands, one that hears. Looks whether it is there, and comes back by itself. */
export class RedisLink {
  private lastFault: RedisFault | null = 'redis_unreachable';
  private refusalUntil = -Infinity;
  private pinging: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private hasClosed = false;
  private readonly returns: Return[] = [];

  private constructor(
    readonly commands: Redis,
    readonly hearing: Redis,
    private readonly label: string,
    private readonly logger: Logger,
  ) {
    for (const connection of [this.commands, this.hearing]) {
      connection.on('error', (error: unknown) => {
        if (isRefusal(error)) this.note('redis_refused');
      });
      connection.on('ready', () => void this.look());
      // One that wants another password closes the connection: that it refuses says more.
      connection.on('close', () => this.lastFault !== 'redis_refused' && this.note('redis_unreachable'));
    }
  }

  /** Not connected yet. The driver is loaded here, since most sets need none. */
  static async to(url: string, logger: Logger): Promise<RedisLink> {
    const { Redis: Driver } = await import('ioredis');
    const commands = new Driver(url, { ...OPTIONS, commandTimeout: ANSWER_MS, enableAutoPipelining: true });
    return new RedisLink(commands, new Driver(url, OPTIONS), labelOf(url), logger);
  }

  /** What is wrong now; null when nothing is. */
  get fault(): RedisFault | null {
    return this.lastFault;
  }

  /** The same as people are told: also that it refused something a moment ago, as when its memory is used up. */
  get toldFault(): RedisFault | null {
    return this.lastFault ?? (performance.now() < this.refusalUntil ? 'redis_refused' : null);
  }

  get isUp(): boolean {
    return this.lastFault === null;
  }

  onReturn(step: Return): void {
    this.returns.push(step);
  }

  /**
   * Connects. A Redis that does not answer is waited for a moment, and then missed like one that goes later.
   * @throws StartError for one that will never do: its version, its password, or what it writes to a disk
   */
  async start(): Promise<void> {
    const giveUpAt = performance.now() + START_WAIT_MS;
    for (const connection of [this.commands, this.hearing]) connection.connect().catch(() => undefined);
    while (this.lastFault === 'redis_unreachable' && performance.now() < giveUpAt) await sleep(20);
    this.pinging = setInterval(() => void this.ping(), PING_EVERY_MS);
    this.pinging.unref();
    if (this.lastFault === null) return;
    if (this.lastFault !== 'redis_unreachable') {
      const what = redisFaultText(this.lastFault);
      await this.close();
      throw new StartError(`${this.label} cannot be used. ${what}`);
    }
    this.logger.warn({ reason: this.lastFault }, redisFaultText(this.lastFault));
  }

  private note(fault: RedisFault): void {
    if (this.lastFault === null && !this.hasClosed) this.logger.warn({ reason: fault }, redisFaultText(fault));
    this.lastFault = fault;
  }

  /** A command failed: says why, so that the next one need not try. */
  failed(error: unknown): RedisFault {
    if (isRefusal(error)) {
      this.refusalUntil = performance.now() + REFUSAL_TOLD_MS;
      return 'redis_refused';
    }
    this.note('redis_unreachable');
    // One that hangs without closing its connections is left; the next one may meet another server.
    if (!this.hasClosed && this.commands.status === 'ready') this.commands.disconnect(true);
    return 'redis_unreachable';
  }

  /** One look after the other: both connections come up at nearly the same time. */
  private look(): Promise<void> {
    this.looking ??= this.findOut().finally(() => (this.looking = null));
    return this.looking;
  }

  private async findOut(): Promise<void> {
    if (this.commands.status !== 'ready' || this.hearing.status !== 'ready' || this.hasClosed) return;
    try {
      const fault = await this.unfitness();
      if (fault !== null) return this.note(fault);
      if (this.lastFault === null) return;
      for (const step of this.returns) await step.before();
      this.lastFault = null;
      for (const step of this.returns) await step.after();
      this.logger.info({}, 'Redis answers');
    } catch (error) {
      this.note(this.failed(error));
    }
  }

  private async unfitness(): Promise<RedisFault | null> {
    const about = await this.commands.info('server');
    const version = /^(?:redis|valkey)_version:(\d+)/m.exec(about)?.[1];
    if (Number(version) < OLDEST_VERSION) return 'redis_refused';
    const settings = (await this.commands.config('GET', 'save', 'appendonly')) as string[];
    const valueOf = (name: string): string => settings[settings.indexOf(name) + 1] ?? '';
    return valueOf('save') !== '' || valueOf('appendonly') !== 'no' ? 'redis_persistent' : null;
  }

  private async ping(): Promise<void> {
    if (this.hasClosed) return;
    try {
      if (this.commands.status === 'ready') await this.commands.ping();
      if (this.hearing.status === 'ready') await withinTime(this.hearing.ping());
      if (this.lastFault !== null) await this.look();
    } catch (error) {
      this.failed(error);
      if (this.hearing.status === 'ready') this.hearing.disconnect(true);
    }
  }

  async close(): Promise<void> {
    this.hasClosed = true;
    if (this.pinging !== null) clearInterval(this.pinging);
    await this.looking;
    this.commands.disconnect();
    this.hearing.disconnect();
  }
}

/** @throws Error when it takes longer than an answer may. */
export async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer')), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
