import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { SOCKET_PATH, type EmittedMessage } from '@parley/shared/contracts';
import { refuseConnection, type Logger } from '@parley/shared/service';
import type { Bus } from './bus';
import { CLOSE, SessionChannel } from './session-channel';

/** How many numbers a session's counter is ahead of what is on disk. */
export const SEQ_BLOCK = 4_096;
/** Sessions without a socket whose counter is kept in memory. */
const IDLE_CHANNELS = 10_000;
const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;
const PING_INTERVAL_MS = 30_000;

/** What a socket is told when it joins: the state now, and, when asked for, the stored events. */
export interface Welcome {
  readonly state: EmittedMessage;
  readonly replay: readonly EmittedMessage[];
}

export interface SocketHubOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Reads a session for a joining socket; null when there is none. */
  readonly welcome: (sessionId: string, withReplay: boolean) => Promise<Welcome | null>;
  /** Sets numbers aside on disk and answers the last one that was set aside before; null when there is no such session. */
  readonly reserveSeq: (sessionId: string, count: number) => Promise<number | null>;
}

/**
 * All WebSockets. Numbers are strictly increasing per session, also over restarts: they are set aside on disk in blocks
 * (with the turn's own transaction, or here when a process meets a session for the first time or has few numbers left).
 */
export class SocketHub {
  private readonly channels = new Map<string, SessionChannel>();
  private readonly opening = new Map<string, Promise<SessionChannel | null>>();
  /** Channels for which more numbers are being set aside. */
  private readonly reserving = new Set<SessionChannel>();
  private readonly server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
    clientTracking: true,
  });
  private readonly pinging: NodeJS.Timeout;
  private readonly silent = new WeakSet<WebSocket>();

  constructor(private readonly options: SocketHubOptions) {
    this.pinging = setInterval(() => this.ping(), PING_INTERVAL_MS);
    this.pinging.unref();
  }

  get connections(): number {
    return this.server.clients.size;
  }

  /** Takes over an upgrade that has passed the guard. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const match = SOCKET_PATH.exec(path);
    if (match === null) {
      refuseConnection(socket, 404, 'Not Found');
      return;
    }
    const withReplay = new URLSearchParams(query).get('after_seq') === '0';
    const sessionId = decodeId(match[1] ?? '');
    this.server.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate()); // an oversized or broken frame: ws has closed it with its code
      client.on('pong', () => this.silent.delete(client));
      this.join(client, sessionId, withReplay).catch((error: unknown) => {
        this.options.logger.error({ err: error }, 'a socket could not join');
        client.close(1011, 'internal error');
      });
    });
  }

  private async join(client: WebSocket, sessionId: string, withReplay: boolean): Promise<void> {
    for (;;) {
      const channel = await this.channel(sessionId);
      if (channel === null) return this.refuse(client, sessionId);
      channel.joining += 1;
      try {
        if (await this.joinChannel(client, channel, withReplay)) return;
      } finally {
        channel.joining -= 1;
        this.leaveWhenEmpty(channel);
      }
    }
  }

  /** @returns false when the session changed meanwhile: look again */
  private async joinChannel(client: WebSocket, channel: SessionChannel, withReplay: boolean): Promise<boolean> {
    const { sessionId } = channel;
    await this.options.bus.listen(channel);
    const { changes } = channel;
    const welcome = await this.options.welcome(sessionId, withReplay);
    if (client.readyState !== client.OPEN) return true;
    if (welcome === null) {
      this.refuse(client, sessionId);
      return true;
    }
    const told = [welcome.state, ...welcome.replay];
    return this.options.bus.join(channel, told.length, () => {
      // The session was deleted while its state was read, or its channel was put away: look again.
      if (this.channels.get(sessionId) !== channel) return false;
      // A message went out while the state was read: read again, so that nothing is missed and nothing comes twice.
      if (channel.changes !== changes) return false;
      if (client.readyState !== client.OPEN) return true;
      for (const message of told) channel.sendTo(client, message);
      channel.sockets.add(client);
      client.once('close', () => {
        channel.sockets.delete(client);
        this.leaveWhenEmpty(channel);
      });
      return true;
    });
  }

  private leaveWhenEmpty(channel: SessionChannel): void {
    if (channel.sockets.size === 0 && channel.joining === 0) this.options.bus.leave(channel);
  }

  private refuse(client: WebSocket, sessionId: string): void {
    const nobody = this.newChannel(sessionId, 0, SEQ_BLOCK);
    nobody.sendTo(client, {
      type: 'error',
      payload: { code: 'SESSION_NOT_FOUND', message: 'There is no such session; it may have been deleted.' },
    });
    client.close(CLOSE.sessionNotFound, 'session not found');
  }

  /** A session that was just made, with SEQ_BLOCK numbers set aside in its row: its counter begins at 1. */
  register(sessionId: string): void {
    this.keep(this.newChannel(sessionId, 0, SEQ_BLOCK));
  }

  private newChannel(sessionId: string, seq: number, reserved: number): SessionChannel {
    const { now, bus } = this.options;
    return new SessionChannel(sessionId, seq, reserved, now, bus, (channel) => this.reserveMore(channel));
  }

  /** In the background: what comes meanwhile takes of the numbers that are left. */
  private reserveMore(channel: SessionChannel): void {
    if (this.reserving.has(channel)) return;
    this.reserving.add(channel);
    this.options
      .reserveSeq(channel.sessionId, SEQ_BLOCK)
      .then((before) => {
        if (before !== null) channel.reserved = Math.max(channel.reserved, before + SEQ_BLOCK);
      })
      .catch((error: unknown) =>
        this.options.logger.warn({ session_id: channel.sessionId, err: error }, 'no more numbers could be set aside'),
      )
      .finally(() => this.reserving.delete(channel));
  }

  /** The channel of a session; null when there is no such session. */
  async channel(sessionId: string): Promise<SessionChannel | null> {
    const known = this.channels.get(sessionId);
    if (known !== undefined) return known;
    let opening = this.opening.get(sessionId);
    if (opening === undefined) {
      opening = this.options.reserveSeq(sessionId, SEQ_BLOCK).then((before) => {
        if (before === null) return null;
        return this.keep(this.newChannel(sessionId, before, before + SEQ_BLOCK));
      });
      this.opening.set(sessionId, opening);
      const forget = (): void => void this.opening.delete(sessionId);
      opening.then(forget, forget);
    }
    return opening;
  }

  private keep(channel: SessionChannel): SessionChannel {
    this.channels.set(channel.sessionId, channel);
    if (this.channels.size > IDLE_CHANNELS)
      for (const [id, idle] of this.channels) {
        if (idle.sockets.size > 0 || idle.joining > 0 || id === channel.sessionId) continue;
        this.channels.delete(id);
        break;
      }
    return channel;
  }

  /** The number up to which the next commit of the session sets aside. */
  seqToReserve(channel: SessionChannel): number {
    channel.reserved = Math.max(channel.reserved, channel.seq + SEQ_BLOCK);
    return channel.reserved;
  }

  /** The session is gone: its sockets close with 4404. */
  drop(sessionId: string): void {
    const channel = this.channels.get(sessionId);
    this.channels.delete(sessionId);
    channel?.closeAll(CLOSE.sessionNotFound, 'session deleted');
  }

  /** Sessions that have a counter here. */
  ids(): string[] {
    return [...this.channels.keys()];
  }

  private ping(): void {
    for (const client of this.server.clients) {
      if (this.silent.has(client)) client.terminate();
      else {
        this.silent.add(client);
        client.ping();
      }
    }
  }

  /** Closes all sockets with 1001 and waits until they are gone, at most two seconds. */
  async close(): Promise<void> {
    clearInterval(this.pinging);
    const gone = [...this.server.clients].map((client) => new Promise((resolve) => client.once('close', resolve)));
    for (const client of this.server.clients) client.close(CLOSE.goingAway, 'shutting down');
    const deadline = setTimeout(() => this.server.clients.forEach((client) => client.terminate()), 2_000);
    await Promise.all(gone);
    clearTimeout(deadline);
    this.server.close();
  }
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
