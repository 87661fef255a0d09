import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the server closed the connection without an answer. */
  readonly status: number;
  readonly text: string;
}

/** Sends bytes as they are and reads until the server closes: for requests that no client library would send. */
export function rawRequest(port: number, lines: readonly string[], host = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (text.startsWith('HTTP/1.1 101')) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }));
    // Not ended from here: a half-closed connection makes a server give up what it has not answered yet.
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  });
}

/** The lines of a WebSocket handshake. */
export const handshake = (path: string, headers: Readonly<Record<string, string>>): string[] => [
  `GET ${path} HTTP/1.1`,
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
];
