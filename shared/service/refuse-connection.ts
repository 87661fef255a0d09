import type { Duplex } from 'node:stream';

/** How long a caller that was refused may go on sending before its connection is cut; milliseconds. */
const REFUSED_LINGER_MS = 2_000;

const ignore = (): void => undefined;

/**
 * Answers an upgrade, or bytes that are no HTTP, with a bare status and closes the connection. Node leaves such a socket to
 * us alone: nobody else hears of its errors, and one that nobody listens for ends the process. A caller that never closes
 * its side is cut off after two seconds; until then what it sends is thrown away, so that it can read the answer.
 */
export function refuseConnection(socket: Duplex, status: number, reason: string): void {
  socket.on('error', ignore);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.resume();
  const deadline = setTimeout(() => socket.destroy(), REFUSED_LINGER_MS);
  socket.once('close', () => clearTimeout(deadline));
}
