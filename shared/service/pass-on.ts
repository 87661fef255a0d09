import { PatientBody, peerRequest } from '@parley/shared/client';
import { ServiceError } from '@parley/shared/contracts';
import type { RequestContext } from './route-call';
import type { Answer } from './send-answer';

/** Headers of the other's answer that reach the caller; all others are made here. */
const PASSED_ON = [
  'content-type',
  'content-length',
  'cache-control',
  'content-security-policy',
  'cross-origin-resource-policy',
  'content-disposition',
  'content-encoding',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'allow',
  'preference-applied',
];
const SENT_ON = [
  'content-type',
  'content-length',
  'if-none-match',
  'if-modified-since',
  'range',
  'idempotency-key',
  'prefer',
  'accept-encoding',
];

export interface PassOnOptions {
  /** How long the other process may be silent, in milliseconds. */
  readonly silenceMs: number;
  /** What the caller is told when the other process cannot be reached, or is silent for longer. */
  readonly unreachable: (cause: unknown) => ServiceError;
  /** Headers beside those of the caller that are sent on. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each sign of life that the other process gives before its answer. */
  readonly onInterim?: () => void;
}

/** What the other process answers, on its way. */
export interface PassedOn extends Answer {
  readonly content: PatientBody;
}

/**
 * Passes a call on to another process as it came, body and answer streamed.
 * @throws what `unreachable` makes of a failure; the signal's reason when the caller went away.
 */
export async function passOn(request: RequestContext, url: string, options: PassOnOptions): Promise<PassedOn> {
  const { raw } = request;
  const { silenceMs, unreachable, onInterim } = options;
  const headers: Record<string, string> = { 'x-request-id': request.requestId };
  for (const name of SENT_ON) {
    const value = raw.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const method = raw.method ?? 'GET';
  const sends = method !== 'GET' && method !== 'HEAD';
  // A caller that went away has ended the exchange itself: that says nothing about the other process.
  const asError = (cause: unknown): Error =>
    request.signal.aborted ? (request.signal.reason as Error) : unreachable(cause);
  try {
    const answer = await peerRequest(url, {
      method,
      signal: request.signal,
      silenceMs,
      headers: { ...headers, ...options.headers },
      ...(sends ? { body: raw } : {}),
      ...(onInterim === undefined ? {} : { onInterim }),
    });
    const passed: Record<string, string> = {};
    for (const name of PASSED_ON) {
      const value = answer.headers[name];
      if (typeof value === 'string') passed[name] = value;
    }
    return {
      status: answer.statusCode ?? 502,
      headers: passed,
      content: new PatientBody(answer, silenceMs, asError),
    };
  } catch (error) {
    throw error instanceof ServiceError ? error : asError(error);
  }
}
