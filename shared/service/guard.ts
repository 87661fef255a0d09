import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import os from 'node:os';
import { INTERNAL_KEY_HEADER, ServiceError } from '@parley/shared/contracts';

export interface GuardOptions {
  /** The port that this process listens on; asked anew each time, since 0 becomes a port only when it listens. */
  readonly ownPort: () => number;
  readonly uiPort: () => number;
  readonly lanAccessEnabled: boolean;
  /** Origins that may call as the page may, besides the page's own; in small letters. */
  readonly allowedOrigins?: readonly string[];
  /** Decides who counts as this machine, in the place of the connection's address. */
  readonly internalKey?: string | null;
  /** Nobody without the key is answered anything: for the processes behind the API. */
  readonly needsKey?: boolean;
  /** The one origin of page and API; then neither loopback names nor others are taken. */
  readonly publicOrigin?: string | null;
  /** This machine's addresses and host name; for tests. */
  readonly ownNames?: () => readonly string[];
}

export interface Guard {
  /** @throws ServiceError VALIDATION_ERROR for too many headers, LOCAL_ONLY, HOST_NOT_ALLOWED or ORIGIN_NOT_ALLOWED. */
  check(request: IncomingMessage): void;
  /** Whether the caller may do what is for this machine and its processes alone. */
  isLocal(request: IncomingMessage): boolean;
}

/** Browsers send about twenty. */
const MAX_HEADERS = 100;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Loopback is decided by the socket's address alone, never by a header that anybody can send. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

function namesOfThisMachine(): string[] {
  const addresses = Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((one) => !one.internal)
    .map((one) => (one.family === 'IPv6' ? `[${one.address}]` : one.address));
  return [...addresses, os.hostname()].map((name) => name.toLowerCase());
}

function headerValues(request: IncomingMessage, name: string): string[] {
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const candidate = rawHeaders[at] ?? '';
    if (candidate.length === name.length && candidate.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** Equally long, whatever is compared: the time that it takes says nothing of the key. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request carries the key, compared in constant time. */
function keyCheck(key: string): (request: IncomingMessage) => boolean {
  const wanted = digestOf(key);
  return (request) => {
    const [given, ...more] = headerValues(request, INTERNAL_KEY_HEADER);
    return given !== undefined && more.length === 0 && timingSafeEqual(digestOf(given), wanted);
  };
}

/**
 * Who may call: the same for HTTP and for the WebSocket upgrade. The raw Host header must be exactly a loopback name with
 * this process's port (with LAN access also a name of this machine), so that a page which rebinds its DNS name to
 * 127.0.0.1 gets nowhere. An Origin, when there is one, must be the page's own or one
 * that the configuration names, by set equality. Where there is a key, a proxy or a container's network may stand between:
 * the connection's address says nothing then, and whoever carries the key may use any name for this process.
 */
export function createGuard(options: GuardOptions): Guard {
  const { ownPort, uiPort, lanAccessEnabled, allowedOrigins = [], ownNames = namesOfThisMachine } = options;
  const { internalKey = null, needsKey = false, publicOrigin = null } = options;
  const publicHost = publicOrigin === null ? null : new URL(publicOrigin).host;
  const carriesKey = internalKey === null ? (): boolean => false : keyCheck(internalKey);

  const hostIsAllowed = (host: string): boolean => {
    if (publicHost !== null) return host === publicHost;
    const suffix = `:${ownPort()}`;
    if (!host.endsWith(suffix)) return false;
    const name = host.slice(0, -suffix.length);
    return (LOOPBACK_HOSTS as readonly string[]).includes(name) || (lanAccessEnabled && ownNames().includes(name));
  };

  const originIsAllowed = (origin: string, host: string): boolean => {
    if (publicOrigin !== null) return origin === publicOrigin;
    if (LOOPBACK_HOSTS.some((name) => origin === `http://${name}:${uiPort()}`)) return true;
    if (allowedOrigins.includes(origin)) return true;
    return lanAccessEnabled && origin === `http://${host.slice(0, host.lastIndexOf(':'))}:${uiPort()}`;
  };

  return {
    check(request) {
      if (request.rawHeaders.length > 2 * MAX_HEADERS)
        throw new ServiceError('VALIDATION_ERROR', `Send at most ${MAX_HEADERS} headers; this request has more.`);
      const isKeyed = carriesKey(request);
      if (needsKey && !isKeyed)
        throw new ServiceError('LOCAL_ONLY', 'This process answers the other processes of its Parley alone.');
      const hosts = headerValues(request, 'host');
      const host = (hosts[0] ?? '').toLowerCase();
      if (hosts.length !== 1 || !(isKeyed || hostIsAllowed(host)) || !request.url?.startsWith('/'))
        throw new ServiceError(
          'HOST_NOT_ALLOWED',
          `Call this service as ${publicOrigin ?? `http://127.0.0.1:${ownPort()}`}; other host names are refused.`,
        );
      const origins = headerValues(request, 'origin');
      if (origins.length > 1 || (origins[0] !== undefined && !originIsAllowed(origins[0].toLowerCase(), host)))
        throw new ServiceError(
          'ORIGIN_NOT_ALLOWED',
          "Only Parley's own page may call this service from a browser; open it at its own address, or name the other page's origin in SIM_ALLOWED_ORIGINS.",
        );
    },
    isLocal: (request) =>
      internalKey === null ? isLoopbackAddress(request.socket.remoteAddress) : carriesKey(request),
  };
}
