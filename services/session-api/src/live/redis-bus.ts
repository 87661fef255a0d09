import { randomBytes } from 'node:crypto';
import { setImmediate as nextRound } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from '@parley/shared/service';
import type { Bus, Listeners, Order, TimedMessage } from './bus';
import { withinTime, type RedisLink } from './redis-link';
import type { SharedSecrets } from './shared-secrets';

/** A counter that nobody has needed for so long begins again above the numbers that the database has set aside; seconds. */
const COUNTER_SECONDS = 24 * 60 * 60;
const FIRST_SECONDS = 60 * 60;

/**
 * Gives numbers out and publishes in one step, so that everybody hears of messages in the order of their numbers. A counter that
 * is not there begins above the floor; one that is there is raised to it where a process has counted by itself.
 */
const PUBLISH = `
local last = tonumber(redis.call('get', KEYS[1]) or '-1')
local floor = tonumber(ARGV[2])
if last < 0 or (ARGV[3] == '1' and last < floor) then last = floor end
redis.call('set', KEYS[1], string.format('%.0f', last + tonumber(ARGV[1])), 'EX', ARGV[4])
redis.call('publish', ARGV[5], string.format('%.0f', last + 1) .. ':' .. ARGV[6])
return last + 1`;

/** What goes over a session's channel: messages, or the mark that a joining socket waits for. */
const Parcel = z.object({ from: z.string(), id: z.int(), messages: z.array(z.unknown()) });
const OrderParcel = z.object({ from: z.string(), order: z.unknown() });

interface Session {
  readonly listeners: Listeners;
  readonly waiting: TimedMessage[];
  /** Null while nothing is being sent. */
  sending: Promise<void> | null;
}

/** What was sent and has not come back yet: by its number, what to do when it does. */
type Returned = (first: number) => void;

export interface RedisBusOptions {
  readonly link: RedisLink;
  readonly secrets: SharedSecrets;
  readonly logger: Logger;
  /** Carries out what another process orders. */
  readonly obey: (order: Order) => void;
  /** Redis was away and is back: what was told meanwhile was not heard here. */
  readonly caughtUp: (heard: readonly Listeners[]) => void;
}

/** Messages and orders over Redis; while it is away, messages reach the sockets of this process. */
export class RedisBus implements Bus {
  readonly isShared = true;
  private readonly self = randomBytes(9).toString('base64url');
  private readonly orders: string;
  private readonly sessions = new Map<string, Session>();
  /** Sessions with sockets here. */
  private readonly heard = new Map<string, Listeners>();
  private readonly returned = new Map<number, Returned>();
  /** Sessions whose numbers were given out here, without Redis. */
  private readonly countedHere = new Set<string>();
  /** Numbers of parcels that the sockets of this process were given without Redis. */
  private readonly givenUp = new Set<number>();
  private parcels = 0;

  constructor(private readonly options: RedisBusOptions) {
    this.orders = `${options.secrets.name}:orders`;
    options.link.hearing.on('messageBuffer', (name: Buffer, data: Buffer) => {
      try {
        this.hear(name.toString(), data);
      } catch (error) {
        // From another version of ours: nobody else could have sealed it.
        options.logger.warn({ err: error }, 'what another process told cannot be read');
      }
    });
    options.link.onReturn({ before: () => this.subscribeAgain(), after: () => this.catchUp() });
  }

  private channelOf(sessionId: string): string {
    return `${this.options.secrets.name}:talk:${sessionId}`;
  }

  private async subscribeAgain(): Promise<void> {
    const channels = [...this.heard.keys()].map((id) => this.channelOf(id));
    await this.options.link.hearing.subscribe(this.orders, ...channels);
  }

  private async catchUp(): Promise<void> {
    const heard = [...this.heard.values()];
    this.givenUp.clear();
    // Numbers that were given out here count for everybody from now on.
    for (const one of heard) if (this.countedHere.has(one.sessionId)) await this.send(one, []);
    if (heard.length > 0) this.options.caughtUp(heard);
  }

  publish(listeners: Listeners, message: TimedMessage): void {
    const session = this.sessions.get(listeners.sessionId) ?? { listeners, waiting: [], sending: null };
    this.sessions.set(listeners.sessionId, session);
    session.waiting.push(message);
    session.sending ??= this.drain(session);
  }

  /** What comes while one batch is under way goes with the next: tokens do not wait for each other one by one. */
  private async drain(session: Session): Promise<void> {
    const { listeners, waiting } = session;
    while (waiting.length > 0) {
      await nextRound();
      await this.send(listeners, waiting.splice(0));
    }
    // In the same breath as the look at the list: one that comes later begins anew.
    session.sending = null;
    this.sessions.delete(listeners.sessionId);
  }

  /** Sends a batch, or gives it to the sockets of this process where that fails. Never rejects. */
  private async send(listeners: Listeners, messages: readonly TimedMessage[]): Promise<void> {
    const { sessionId } = listeners;
    const id = (this.parcels += 1);
    let hasReturned = false;
    this.returned.set(id, () => (hasReturned = true));
    try {
      const first = await this.script(listeners, messages.length, { id, messages });
      // Who listens hears of it in its order.
      if (!this.heard.has(sessionId)) listeners.raise(first + messages.length - 1);
    } catch {
      this.countedHere.add(sessionId);
      if (hasReturned) return;
      // It may still come, from a Redis that was slow only.
      this.givenUp.add(id);
      listeners.raise(listeners.floor);
      for (const message of messages) listeners.emit(message);
    } finally {
      this.returned.delete(id);
    }
  }

  /** @returns the first of the numbers. @throws when Redis does not take it. */
  private async script(
    listeners: Listeners,
    count: number,
    parcel: { id: number; messages: readonly TimedMessage[] },
  ): Promise<number> {
    const { link, secrets } = this.options;
    const { sessionId } = listeners;
    const floor = Math.max(listeners.seq, listeners.floor);
    if (!link.isUp) throw new Error('Redis does not answer');
    const channel = this.channelOf(sessionId);
    const raises = this.countedHere.has(sessionId) ? 1 : 0;
    const sealed = secrets.seal(channel, JSON.stringify({ from: this.self, ...parcel }));
    const counter = `${secrets.name}:seq:${sessionId}`;
    try {
      const first = await link.commands.eval(
        PUBLISH,
        1,
        counter,
        count,
        floor,
        raises,
        COUNTER_SECONDS,
        channel,
        sealed,
      );
      this.countedHere.delete(sessionId);
      return z.int().parse(first);
    } catch (error) {
      link.failed(error);
      throw error;
    }
  }

  private hear(name: string, data: Buffer): void {
    if (name === this.orders) return this.hearOrder(data);
    const sessionId = name.slice(this.channelOf('').length);
    const listeners = this.heard.get(sessionId);
    const split = data.indexOf(':');
    const first = Number(data.subarray(0, split).toString());
    const text = this.options.secrets.open(name, data.subarray(split + 1));
    if (listeners === undefined || text === null) return;
    const { from, id, messages } = Parcel.parse(JSON.parse(text));
    if (from === this.self && this.givenUp.has(id)) return;
    listeners.raise(first - 1);
    for (const message of messages as TimedMessage[]) listeners.emit(message);
    if (from === this.self) this.returned.get(id)?.(first);
  }

  async listen(listeners: Listeners): Promise<void> {
    const { sessionId } = listeners;
    if (this.heard.get(sessionId) === listeners) return;
    this.heard.set(sessionId, listeners);
    try {
      if (this.options.link.isUp) await this.options.link.hearing.subscribe(this.channelOf(sessionId));
    } catch (error) {
      this.options.link.failed(error);
    }
  }

  leave(listeners: Listeners): void {
    const { sessionId } = listeners;
    if (this.heard.get(sessionId) !== listeners) return;
    this.heard.delete(sessionId);
    if (!this.options.link.isUp) return;
    this.options.link.hearing.unsubscribe(this.channelOf(sessionId)).catch(() => undefined);
  }

  /** A mark goes the way of the messages: when it comes back, everything before it has been delivered. */
  async join(listeners: Listeners, count: number, step: () => boolean): Promise<boolean> {
    const id = (this.parcels += 1);
    let done: boolean | null = null;
    const cameBack = new Promise<void>((resolve) => {
      this.returned.set(id, () => {
        done = step();
        resolve();
      });
    });
    try {
      await this.script(listeners, count, { id, messages: [] });
      await withinTime(cameBack);
    } catch {
      this.countedHere.add(listeners.sessionId);
      listeners.raise(listeners.floor);
    } finally {
      this.returned.delete(id);
    }
    return done ?? step();
  }

  async flushed(sessionId: string): Promise<void> {
    await this.sessions.get(sessionId)?.sending;
  }

  order(order: Order): void {
    const { link, secrets } = this.options;
    if (!link.isUp) return;
    const sealed = secrets.seal(this.orders, JSON.stringify({ from: this.self, order }));
    link.commands.publish(this.orders, sealed).catch((error: unknown) => link.failed(error));
  }

  private hearOrder(data: Buffer): void {
    const text = this.options.secrets.open(this.orders, data);
    if (text === null) return;
    const { from, order } = OrderParcel.parse(JSON.parse(text));
    if (from !== this.self) this.options.obey(order as Order);
  }

  async isFirst(what: string): Promise<boolean> {
    const { link, secrets } = this.options;
    try {
      return (await link.commands.set(`${secrets.name}:told:${what}`, this.self, 'EX', FIRST_SECONDS, 'NX')) === 'OK';
    } catch (error) {
      link.failed(error);
      // Everybody tells their own sockets then.
      return true;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((one) => one.sending));
    await this.options.link.close();
  }
}
