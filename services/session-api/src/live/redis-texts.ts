import type { ChainableCommander } from 'ioredis';
import type { Logger } from '@parley/shared/service';
import { redisUnavailable, type RedisLink } from './redis-link';
import type { SharedSecrets } from './shared-secrets';
import type { TextShelf } from './text-shelf';

const KEPT_SECONDS = 30 * 60;
const AT_ONCE = 500;

/** One hash a session, sealed field by field with a key that is neither in Redis nor in a database. */
export class RedisTexts implements TextShelf {
  constructor(
    private readonly link: RedisLink,
    private readonly secrets: SharedSecrets,
    private readonly logger: Logger,
  ) {}

  private keyOf(sessionId: string): string {
    return `${this.secrets.name}:words:${sessionId}`;
  }

  async all(sessionId: string): Promise<ReadonlyMap<string, string>> {
    const key = this.keyOf(sessionId);
    const [fields] = await this.run((commands) => commands.hgetallBuffer(key).expire(key, KEPT_SECONDS));
    const sealed = Object.entries((fields ?? {}) as Record<string, Buffer>);
    return new Map(
      sealed.flatMap(([field, data]): [string, string][] => {
        const text = this.secrets.open(`${key}:${field}`, data);
        return text === null ? [] : [[field, text]];
      }),
    );
  }

  async put(sessionId: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const key = this.keyOf(sessionId);
    await this.run((commands) => commands.hset(key, this.sealed(key, fields)).expire(key, KEPT_SECONDS));
  }

  async replace(sessionId: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const key = this.keyOf(sessionId);
    await this.run((commands) => {
      void commands.del(key);
      return Object.keys(fields).length === 0
        ? commands
        : commands.hset(key, this.sealed(key, fields)).expire(key, KEPT_SECONDS);
    });
  }

  private sealed(key: string, fields: Readonly<Record<string, string>>): Record<string, Buffer> {
    return Object.fromEntries(
      Object.entries(fields).map(([field, text]) => [field, this.secrets.seal(`${key}:${field}`, text)]),
    );
  }

  /** All of the commands or none. @throws ServiceError SERVICE_UNAVAILABLE */
  private async run(commands: (all: ChainableCommander) => ChainableCommander): Promise<unknown[]> {
    const { link } = this;
    if (link.fault !== null) throw redisUnavailable(link.fault);
    try {
      const answers = (await commands(link.commands.multi()).exec()) ?? [];
      for (const [error] of answers) if (error !== null) throw error;
      return answers.map(([, answer]) => answer);
    } catch (error) {
      throw redisUnavailable(link.failed(error), error);
    }
  }

  async forget(sessionId: string): Promise<void> {
    await this.away(() => this.link.commands.unlink(this.keyOf(sessionId)));
  }

  async ids(): Promise<string[]> {
    const found: string[] = [];
    await this.away(async () => {
      for (let cursor = '0'; ;) {
        const [next, keys] = await this.link.commands.scan(cursor, 'MATCH', this.keyOf('*'), 'COUNT', AT_ONCE);
        found.push(...keys.map((key) => key.slice(this.keyOf('').length)));
        if (next === '0') return;
        cursor = next;
      }
    });
    return found;
  }

  private async away(take: () => Promise<unknown>): Promise<void> {
    try {
      await take();
    } catch (error) {
      this.link.failed(error);
      this.logger.warn(
        { err: error },
        'words of deleted talks could not be taken out of Redis; they go within half an hour',
      );
    }
  }
}
