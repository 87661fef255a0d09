import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ServiceError } from '@parley/shared/contracts';
import { createGuard, type GuardOptions } from './guard';

const KEY = '0123456789abcdef0123456789abcdef';
const OTHER_KEY = 'fedcba9876543210fedcba9876543210';
const PUBLIC = 'https://talks.example';
const OUTSIDE = '10.0.0.9';

/** A request as it arrives, from an address. */
function requestFrom(address: string, headers: readonly (readonly [string, string])[]): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const request = new IncomingMessage(socket);
  request.url = '/api/health';
  request.rawHeaders.push(...headers.flat());
  return request;
}

const guardWith = (options: Partial<GuardOptions> = {}) =>
  createGuard({
    ownPort: () => 7355,
    uiPort: () => 7354,
    lanAccessEnabled: false,
    ownNames: () => [OUTSIDE],
    ...options,
  });

interface Caller {
  from?: string;
  host?: string;
  origin?: string;
  key?: string | readonly string[];
}

/** What a caller is answered: `in` with `local` when it counts as this machine, or the code of the refusal. */
function verdict(options: Partial<GuardOptions>, { from = '127.0.0.1', host, origin, key = [] }: Caller): string {
  const guard = guardWith(options);
  const request = requestFrom(from, [
    ...(host === undefined ? [] : [['Host', host] as const]),
    ...(origin === undefined ? [] : [['Origin', origin] as const]),
    ...(typeof key === 'string' ? [key] : key).map((one) => ['X-Parley-Internal-Key', one] as const),
  ]);
  try {
    guard.check(request);
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
  return guard.isLocal(request) ? 'in, local' : 'in';
}

const LOOPBACK = '127.0.0.1:7355';
const PAGE = 'http://127.0.0.1:7354';

describe('the guard without a key', () => {
  it.each<[Caller, string]>([
    [{ host: LOOPBACK }, 'in, local'],
    [{ host: 'localhost:7355', origin: PAGE }, 'in, local'],
    [{ host: LOOPBACK, from: '::ffff:127.0.0.1' }, 'in, local'],
    [{ host: LOOPBACK, from: OUTSIDE }, 'in'],
    [{ host: `${OUTSIDE}:7355`, from: OUTSIDE }, 'HOST_NOT_ALLOWED'],
    [{ host: 'talks.example' }, 'HOST_NOT_ALLOWED'],
    [{}, 'HOST_NOT_ALLOWED'],
    [{ host: LOOPBACK, origin: PUBLIC }, 'ORIGIN_NOT_ALLOWED'],
    // A key means nothing where none is set.
    [{ host: 'talks.example', key: KEY }, 'HOST_NOT_ALLOWED'],
    [{ host: LOOPBACK, from: OUTSIDE, key: KEY }, 'in'],
    [{ host: LOOPBACK, from: OUTSIDE, key: '' }, 'in'],
  ])('answers %j with %s', (caller, answer) => {
    expect(verdict({}, caller)).toBe(answer);
  });

  it.each<[Caller, string]>([
    [{ host: `${OUTSIDE}:7355`, from: OUTSIDE }, 'in'],
    [{ host: `${OUTSIDE}:7355`, from: OUTSIDE, origin: `http://${OUTSIDE}:7354` }, 'in'],
    [{ host: `${OUTSIDE}:7355`, from: OUTSIDE, origin: PUBLIC }, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'talks.example', from: OUTSIDE }, 'HOST_NOT_ALLOWED'],
    [{ host: LOOPBACK }, 'in, local'],
  ])('with LAN access answers %j with %s', (caller, answer) => {
    expect(verdict({ lanAccessEnabled: true }, caller)).toBe(answer);
  });
});

describe('the guard with a key', () => {
  it.each<[Caller, string]>([
    // The address of a connection says nothing any more: a proxy on this machine has one of this machine.
    [{ host: LOOPBACK }, 'in'],
    [{ host: LOOPBACK, from: OUTSIDE }, 'in'],
    [{ host: LOOPBACK, key: KEY }, 'in, local'],
    [{ host: LOOPBACK, from: OUTSIDE, key: KEY }, 'in, local'],
    [{ host: 'session-api:7355', from: OUTSIDE, key: KEY }, 'in, local'],
    [{ host: 'session-api:7355', from: OUTSIDE }, 'HOST_NOT_ALLOWED'],
    [{ host: LOOPBACK, key: OTHER_KEY }, 'in'],
    [{ host: LOOPBACK, key: KEY.slice(0, -1) }, 'in'],
    [{ host: LOOPBACK, key: `${KEY}0` }, 'in'],
    [{ host: LOOPBACK, key: '' }, 'in'],
    [{ host: LOOPBACK, key: [KEY, KEY] }, 'in'],
    [{ host: LOOPBACK, key: [OTHER_KEY, KEY] }, 'in'],
    // No page gets in by a key either.
    [{ host: LOOPBACK, key: KEY, origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
    [{ host: LOOPBACK, origin: PAGE }, 'in'],
  ])('answers %j with %s', (caller, answer) => {
    expect(verdict({ internalKey: KEY }, caller)).toBe(answer);
  });

  it.each<[Caller, string]>([
    [{ host: LOOPBACK }, 'LOCAL_ONLY'],
    [{ host: LOOPBACK, from: OUTSIDE, key: OTHER_KEY }, 'LOCAL_ONLY'],
    [{ host: 'pack-service:7355', from: OUTSIDE, key: KEY }, 'in, local'],
    [{ host: LOOPBACK, key: KEY, origin: PUBLIC }, 'ORIGIN_NOT_ALLOWED'],
  ])('behind the API answers %j with %s', (caller, answer) => {
    expect(verdict({ internalKey: KEY, needsKey: true }, caller)).toBe(answer);
  });
});

describe('the guard with a key and a public origin', () => {
  it.each<[Caller, string]>([
    [{ host: 'talks.example', from: OUTSIDE }, 'in'],
    [{ host: 'TALKS.example', from: OUTSIDE, origin: PUBLIC }, 'in'],
    [{ host: 'talks.example' }, 'in'],
    [{ host: 'talks.example', key: KEY, origin: PUBLIC }, 'in, local'],
    [{ host: 'talks.example:7355' }, 'HOST_NOT_ALLOWED'],
    [{ host: 'www.talks.example' }, 'HOST_NOT_ALLOWED'],
    [{ host: LOOPBACK }, 'HOST_NOT_ALLOWED'],
    [{ host: 'localhost:7355', from: OUTSIDE }, 'HOST_NOT_ALLOWED'],
    [{ host: LOOPBACK, key: KEY }, 'in, local'],
    [{ host: 'talks.example', origin: PAGE }, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'talks.example', origin: 'http://talks.example' }, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'talks.example', origin: `${PUBLIC}:8443` }, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'talks.example', origin: 'null' }, 'ORIGIN_NOT_ALLOWED'],
  ])('answers %j with %s', (caller, answer) => {
    expect(verdict({ internalKey: KEY, publicOrigin: PUBLIC }, caller)).toBe(answer);
  });

  it('takes a public origin with a port under that port alone', () => {
    const options = { internalKey: KEY, publicOrigin: 'https://talks.example:8443' };
    expect(verdict(options, { host: 'talks.example:8443' })).toBe('in');
    expect(verdict(options, { host: 'talks.example' })).toBe('HOST_NOT_ALLOWED');
  });
});
