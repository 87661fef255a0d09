import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { EmittedMessage } from '@parley/shared/contracts';
import { stateMessage, type StandInSession } from './stand-in-sessions';

/** The WebSockets of all sessions, and the numbers of their messages. */
export class StandInSockets {
  private readonly clients = new Map<string, Set<WebSocket>>();
  private readonly server = new WebSocketServer({ noServer: true });

  constructor(private readonly known: (id: string) => StandInSession | undefined) {}

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.server.handleUpgrade(request, socket, head, (client) => this.join(request.url ?? '', client));
  }

  send(one: StandInSession, ...messages: EmittedMessage[]): void {
    for (const message of messages) {
      one.seq += 1;
      const line = JSON.stringify({
        seq: one.seq,
        session_id: one.session.id,
        ts: new Date().toISOString(),
        ...message,
      });
      for (const client of this.clients.get(one.session.id) ?? []) client.send(line);
    }
  }

  /** Cuts every socket, as a network does. */
  cut(): void {
    for (const clients of this.clients.values()) for (const client of clients) client.terminate();
  }

  /** Tells the sockets of a session that it is gone. */
  closeOf(id: string): void {
    for (const client of this.clients.get(id) ?? []) client.close(4404);
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  private join(url: string, client: WebSocket): void {
    const id = decodeURIComponent(/^\/ws\/session\/([^/?]+)/.exec(url)?.[1] ?? '');
    const one = this.known(id);
    if (one === undefined) {
      client.close(4404);
      return;
    }
    const clients = this.clients.get(id) ?? new Set();
    this.clients.set(id, clients.add(client));
    client.on('close', () => clients.delete(client));
    this.send(one, stateMessage(one));
  }
}
