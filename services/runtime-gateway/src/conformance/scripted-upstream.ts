import { createServer, type AddressInfo, type Socket } from 'node:net';

/** One request as it arrived. */
export interface UpstreamCall {
  readonly method: string;
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which connection of this upstream it came on, from 1. */
  readonly connection: number;
  /** Aborts when the caller closes the connection. */
  readonly closed: AbortSignal;
}

/** The connection, in the hands of a script. */
export interface Line {
  /** Writes a piece and resolves when the system has taken it. */
  write(piece: string | Buffer): Promise<void>;
  /** Writes pieces one after the other, each in a packet of its own as far as that can be had. */
  writeAll(pieces: readonly Buffer[]): Promise<void>;
  /** Closes the connection after what is written. */
  end(): void;
  /** Breaks the connection. */
  reset(): void;
}

export type Script = (call: UpstreamCall, line: Line) => Promise<void> | void;

export interface ScriptedUpstream {
  readonly url: string;
  readonly calls: UpstreamCall[];
  close(): Promise<void>;
}

const HEAD_END = Buffer.from('\r\n\r\n');

function lineOf(socket: Socket): Line {
  const write = (piece: string | Buffer): Promise<void> =>
    new Promise((resolve) => {
      if (socket.destroyed) resolve();
      else socket.write(piece, () => resolve());
    });
  return {
    write,
    async writeAll(pieces) {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        await write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    end: () => socket.end(),
    reset: () => socket.resetAndDestroy(),
  };
}

/**
 * A model server at the level of the socket: reads whole requests and lets the script answer with whatever bytes it likes,
 * HTTP or not.
 */
export async function startScriptedUpstream(script: Script, port = 0): Promise<ScriptedUpstream> {
  const calls: UpstreamCall[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    const connection = connections;
    const closed = new AbortController();
    let received = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => closed.abort());
    socket.on('close', () => {
      sockets.delete(socket);
      closed.abort();
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let request = takeRequest(); request !== null; request = takeRequest()) {
        const call = { ...request, connection, closed: closed.signal };
        calls.push(call);
        void Promise.resolve(script(call, lineOf(socket))).catch((error: unknown) => socket.destroy(error as Error));
      }
    });
    const takeRequest = (): Omit<UpstreamCall, 'connection' | 'closed'> | null => {
      const end = received.indexOf(HEAD_END);
      if (end === -1) return null;
      const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      ) as Record<string, string>;
      const length = Number(headers['content-length'] ?? 0);
      if (received.length < end + 4 + length) return null;
      const body = received.subarray(end + 4, end + 4 + length).toString('utf8');
      received = received.subarray(end + 4 + length);
      const [method = '', path = ''] = first.split(' ');
      return { method, path, headers, body };
    };
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A whole answer with a length. */
export function plainAnswer(status: number, body: string, contentType = 'application/json; charset=utf-8'): string {
  return `HTTP/1.1 ${status} Status\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The head of a chunked stream on a connection that stays open. */
export function streamHead(contentType: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

/** One chunk of a chunked stream. */
export function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export const LAST_CHUNK = '0\r\n\r\n';
