import http, { Agent, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { INTERNAL_KEY_HEADER } from '@parley/shared/contracts';
import { SilenceWatch } from './time-limit';

/**
 * Connections to peers are kept while they idle, for less time than our servers keep them (65 s). node:http rather than a
 * library: it is in every process already, as their server, so that this costs neither memory nor time at the start.
 */
const peerAgent = new Agent({
  keepAlive: true,
  timeout: 30_000,
  maxSockets: 256,
  maxFreeSockets: 64,
  scheduling: 'lifo',
});

const CONNECT_TIMEOUT_MS = 2_000;
/** How long an answer whose last useful byte is here may take to end before its connection is given up. */
const REST_TIMEOUT_MS = 1_000;

export interface PeerRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is passed on as it comes; the caller closes it. */
  readonly body?: string | Readable;
  /** Closes the connection at once when it aborts, before and while the answer comes. */
  readonly signal?: AbortSignal;
  readonly agent?: Agent;
  /**
   * How long the peer may be silent until its answer begins, in milliseconds. While a stream is passed on, taking in more of
   * it is a sign of life, and a stream that gives nothing is not the peer's silence; interim answers are signs of life too.
   */
  readonly silenceMs?: number;
  /** Called once with what closes the connection at once, as the signal does, for callers that have several reasons to. */
  readonly onOpen?: (close: (reason: Error) => void) => void;
  /** Called for each interim answer (1xx): the peer is alive and still working on it. */
  readonly onInterim?: () => void;
}

let internalKey: Readonly<Record<string, string>> = {};

/**
 * Has every call to a peer carry the set's key from now on, or none. A process belongs to one set, and reads the key once, at
 * its start: so it need not be handed through every place that calls another process.
 */
export function carryInternalKey(key: string | null): void {
  internalKey = key === null ? {} : { [INTERNAL_KEY_HEADER]: key };
}

interface Peer {
  readonly open: typeof http.request;
  readonly options: RequestOptions;
}

const peers = new Map<string, Promise<Peer>>();
const KEPT_PEERS = 32;

async function openPeer(origin: string): Promise<Peer> {
  const options: RequestOptions = urlToHttpOptions(new URL(origin));
  if (options.protocol !== 'https:') return { open: http.request, options: { ...options, agent: peerAgent } };
  // A gateway of the user's own may speak https; the five processes never do.
  return { open: (await import('node:https')).request, options };
}

/** A process calls the same few addresses over and over: each is taken apart once. */
function peerAt(origin: string): Promise<Peer> {
  let peer = peers.get(origin);
  if (peer === undefined) {
    if (peers.size >= KEPT_PEERS) peers.clear();
    peer = openPeer(origin);
    peers.set(origin, peer);
  }
  return peer;
}

/** `http://host:port` and the rest, which begins with a slash. */
function takenApart(address: string): [origin: string, path: string] {
  const slash = address.indexOf('/', address.indexOf('://') + 3);
  return slash === -1 ? [address, '/'] : [address.slice(0, slash), address.slice(slash)];
}

/**
 * Whether there was no connection, or it broke off: the peer closed it while it idled, has just died, or is gone. Where a name
 * stands for several processes another connection finds one that lives: node tries their addresses one after the other.
 */
export const wasLost = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

const isStream = (body: PeerRequest['body']): body is Readable => typeof body === 'object';

function lengthOf(body: PeerRequest['body']): { 'content-length'?: string } {
  if (body === undefined || isStream(body)) return {};
  return { 'content-length': String(Buffer.byteLength(body)) };
}

/** Closes the connection when the peer is silent for too long, until its answer begins or the request is over. */
function watchSilence(
  request: http.ClientRequest,
  body: Readable | null,
  milliseconds: number,
  close: (reason: Error) => void,
): void {
  const silence = new SilenceWatch(milliseconds, (reason) => {
    const waitsForMoreBody = body !== null && !body.readableEnded && !body.destroyed && !request.writableNeedDrain;
    if (waitsForMoreBody) silence.refresh();
    else close(reason);
  });
  const refresh = (): void => silence.refresh();
  const rest = (): void => silence.rest();
  refresh();
  body?.on('data', refresh).once('end', refresh);
  request.on('drain', refresh).on('information', refresh).once('response', rest).once('close', rest);
}

function send(request: http.ClientRequest, given: PeerRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { signal } = given;
    const stream = isStream(given.body) ? given.body : null;
    let answer: IncomingMessage | undefined;
    const close = (reason: Error): void => void (answer ?? request).destroy(reason);
    given.onOpen?.(close);
    if (signal !== undefined) {
      const abort = (): void => close(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      signal.addEventListener('abort', abort, { once: true });
      request.once('close', () => signal.removeEventListener('abort', abort));
    }
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      // A process that was busy for so long finds the timer and the connection at once: the connection is looked at first.
      const timer = setTimeout(
        () => setImmediate(() => socket.connecting && request.destroy(new Error('connect timeout'))),
        CONNECT_TIMEOUT_MS,
      );
      socket.once('connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    if (given.onInterim !== undefined) request.on('information', given.onInterim);
    if (given.silenceMs !== undefined) watchSilence(request, stream, given.silenceMs, close);
    request.once('response', (response) => {
      answer = response;
      // Whoever reads it hears of an error by reading; one that comes after that has nobody left to tell.
      response.on('error', () => undefined);
      resolve(response);
    });
    request.on('error', (error) => {
      stream?.unpipe(request);
      reject(error);
    });
    // A peer that changes the protocol gives neither answer nor error. After either of them this changes nothing.
    request.once('close', () => reject(new Error('the connection was closed before its answer')));
    if (stream === null) request.end(given.body);
    else stream.pipe(request);
  });
}

/**
 * Sends a request to another process and resolves with its answer as soon as the headers are here; the body is a stream
 * that is read at the caller's pace and fails when the connection is lost or the signal aborts. A GET that no connection was
 * found for, or whose connection was lost before the answer, is sent once more.
 * @throws what the transport says (refused, reset, not connected within 2 s), or the signal's reason.
 */
export async function peerRequest(address: string, given: PeerRequest): Promise<IncomingMessage> {
  const { method, body, signal, headers } = given;
  const [origin, path] = takenApart(address);
  const peer = await peerAt(origin);
  const options: RequestOptions = {
    ...peer.options,
    ...(given.agent === undefined ? {} : { agent: given.agent }),
    path,
    method,
    headers: { ...lengthOf(body), ...internalKey, ...headers },
  };
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted();
    // The second time on a new connection: all that are kept may lead to the same peer.
    const request = peer.open(isFirst ? options : { ...options, agent: false });
    try {
      return await send(request, given);
    } catch (error) {
      const mayRepeat = isFirst && method === 'GET' && signal?.aborted !== true;
      if (!mayRepeat || !wasLost(error)) throw error;
    }
  }
}

/** The whole body as text. @throws RangeError when it is longer than `maxBytes`; else what broke the stream. */
export async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new RangeError(`the answer is longer than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size).toString('utf8');
}

/** Lets an answer of which nothing more is needed come to its end, so that its connection can be used again. */
export function discardBody(answer: IncomingMessage): void {
  // Mostly it is at its end already, and would never say so again: the timer would hold it, and its request, for nothing.
  if (answer.closed) return;
  const timer = setTimeout(() => answer.destroy(), REST_TIMEOUT_MS);
  timer.unref();
  answer.once('close', () => clearTimeout(timer));
  answer.resume();
}
