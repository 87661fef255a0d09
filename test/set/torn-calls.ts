import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@parley/shared/contracts';
import { handshake } from './raw-request';

/**
 * Sends bytes and tears the connection down with a TCP reset: at once, a moment later, or when the first bytes of the
 * answer are there. Whoever still holds the socket then hears of an error, and one that nobody listens for ends a process.
 * @param moment from 0 up to 1: when.
 * @throws what the system says when there is no connection at all.
 */
export async function sendAndReset(port: number, bytes: string, moment: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  const lost = once(socket, 'error').then(([error]: unknown[]) => Promise.reject(error as Error));
  lost.catch(() => undefined);
  await Promise.race([once(socket, 'connect'), lost]);
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  if (moment < 0.3) await sleep(moment * 10);
  else await Promise.race([once(socket, 'data'), closed, sleep(40)]).catch(() => undefined);
  socket.resetAndDestroy();
  await closed;
}

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const own = (port: number): string => `Host: 127.0.0.1:${port}`;
const JSON_TYPE = 'Content-Type: application/json';

/** One kind of call that is torn down: what it is, and its bytes. */
export interface TornCall {
  readonly what: string;
  bytes(port: number): string;
}

const upload = (path: string) => (port: number) =>
  `${lines(`POST ${path} HTTP/1.1`, own(port), 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 99999')}--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK`;

const withBody = (target: string, body: string) => (port: number) =>
  `${lines(`POST ${target} HTTP/1.1`, own(port), JSON_TYPE, `Content-Length: ${body.length}`)}${body}`;

/** Calls that every process gets. */
export const TORN_ANYWHERE: readonly TornCall[] = [
  { what: 'an upgrade that the guard refuses', bytes: () => lines(...handshake('/ws/session/any', { Host: 'evil.example' })) },
  { what: 'an upgrade on another path', bytes: (port) => lines(...handshake('/nothing', { Host: `127.0.0.1:${port}` })) },
  { what: 'an upgrade to another protocol', bytes: (port) => lines('GET / HTTP/1.1', own(port), 'Connection: Upgrade', 'Upgrade: h2c') },
  { what: 'a CONNECT', bytes: (port) => lines('CONNECT 127.0.0.1:80 HTTP/1.1', own(port)) },
  { what: 'bytes that are no HTTP', bytes: () => lines('\u0001\u0002 nothing') },
  { what: 'a request without an end', bytes: (port) => `GET /livez HTTP/1.1\r\n${own(port)}\r\nX-More: ` },
  { what: 'a call that expects to be let go on', bytes: (port) => lines('POST /livez HTTP/1.1', own(port), 'Expect: 100-continue', 'Content-Length: 9') },
  { what: 'a call that expects something else', bytes: (port) => lines('GET /livez HTTP/1.1', own(port), 'Expect: a-miracle') },
  { what: 'many calls in one connection', bytes: (port) => lines('GET /readyz HTTP/1.1', own(port)).repeat(20) },
  { what: 'a body that stops half way', bytes: (port) => `${lines('POST /api/sessions HTTP/1.1', own(port), JSON_TYPE, 'Content-Length: 99')}{"a` },
]; // prettier-ignore

/** Calls of one process. @param session a session that may be spoilt. */
export function tornCallsOf(service: ServiceName, session: string): TornCall[] {
  const path = `/ws/session/${session}`;
  const generation = JSON.stringify({ messages: [{ role: 'user', content: 'Tell me about the harbour.' }] });
  const calls: Partial<Record<ServiceName, TornCall[]>> = {
    session_api: [
      { what: 'a handshake that is not one', bytes: (port) => lines(`GET ${path} HTTP/1.1`, own(port), 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 7') },
      { what: 'a socket of an unknown session', bytes: (port) => lines(...handshake('/ws/session/nobodynobodynobodynobody', { Host: `127.0.0.1:${port}` })) },
      { what: 'a socket that was let in', bytes: (port) => lines(...handshake(`${path}?after_seq=0`, { Host: `127.0.0.1:${port}` })) },
      { what: 'a frame that is none', bytes: (port) => `${lines(...handshake(path, { Host: `127.0.0.1:${port}` }))}\u00ff\u00ff\u00ff\u00ff` },
      { what: 'a forwarded read', bytes: (port) => lines('GET /api/scenarios HTTP/1.1', own(port)).repeat(3) },
      { what: 'a forwarded picture', bytes: (port) => lines('GET /api/packs/the_ask/assets/portraits/neutral.svg HTTP/1.1', own(port)).repeat(3) },
      { what: 'a forwarded import', bytes: upload('/api/packs/import') },
      { what: 'a forwarded call of the gateway', bytes: (port) => `${lines('POST /api/models/install HTTP/1.1', own(port), JSON_TYPE, 'Content-Length: 99')}{"pull` },
      { what: 'a turn', bytes: withBody(`/api/sessions/${session}/turn`, '{"text":"Hey."}') },
      { what: 'a call for the health of all', bytes: (port) => lines('GET /api/health HTTP/1.1', own(port)).repeat(3) },
    ],
    runtime_gateway: [{ what: 'a generation', bytes: withBody('/runtime/chat', generation) }],
    pack_service: [{ what: 'an upload', bytes: upload('/api/packs/validate') }],
  }; // prettier-ignore
  return calls[service] ?? [];
}
