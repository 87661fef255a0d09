import http, { Agent, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Connections to peers are kept while they idle, for less time than our servers keep them (65 s). node:http rather than a
 * library: it is in every process already, as their server, so that this costs neither memory nor time at the start.
 */
export const peerAgent = new Agent({ keepAlive: true, timeout: 30_000, maxSockets: 256, maxFreeSockets: 64, scheduling: 'lifo' }); // prettier-ignore

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
  /** Called for each interim answer (1xx): the peer is alive and still working on it. */
  readonly onInterim?: () => void;
}

async function optionsFor(url: URL, given: PeerRequest): Promise<[typeof http.request, RequestOptions]> {
  const { method, body } = given;
  const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const options: RequestOptions = { method, headers: { ...length, ...given.headers } };
  if (url.protocol !== 'https:') return [http.request, { ...options, agent: given.agent ?? peerAgent }];
  // A gateway of the user's own may speak https; the five processes never do.
  return [(await import('node:https')).request, options];
}

const wasClosedMeanwhile = (request: http.ClientRequest, error: NodeJS.ErrnoException): boolean =>
  request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

function send(request: http.ClientRequest, given: PeerRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { body, signal } = given;
    let answer: IncomingMessage | undefined;
    const abort = (): void => {
      const reason = signal?.reason instanceof Error ? signal.reason : new Error('aborted');
      (answer ?? request).destroy(reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    request.once('close', () => signal?.removeEventListener('abort', abort));
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
    request.once('response', (response) => {
      answer = response;
      resolve(response);
    });
    request.on('error', (error) => {
      if (typeof body === 'object') body.unpipe(request);
      reject(error);
    });
    if (typeof body === 'object') body.pipe(request);
    else request.end(body);
  });
}

/**
 * Sends a request to another process and resolves with its answer as soon as the headers are here; the body is a stream
 * that is read at the caller's pace and fails when the connection is lost or the signal aborts.
 * @throws what the transport says (refused, reset, not connected within 2 s), or the signal's reason.
 */
export async function peerRequest(address: string, given: PeerRequest): Promise<IncomingMessage> {
  const url = new URL(address);
  const [open, options] = await optionsFor(url, given);
  for (let attempt = 1; ; attempt += 1) {
    given.signal?.throwIfAborted();
    const request = open(url, options);
    try {
      return await send(request, given);
    } catch (error) {
      // The peer closed a kept connection at the same moment: a call that changes nothing is asked again on another one.
      const mayRepeat = given.method === 'GET' && attempt <= 2 && given.signal?.aborted !== true;
      if (!mayRepeat || !wasClosedMeanwhile(request, error as NodeJS.ErrnoException)) throw error;
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
export function leaveRest(answer: IncomingMessage): void {
  const timer = setTimeout(() => answer.destroy(), REST_TIMEOUT_MS);
  timer.unref();
  answer.once('close', () => clearTimeout(timer));
  answer.on('error', () => undefined);
  answer.resume();
}
