import { PatientBody, discardBody, peerRequest, timeLimitOf, unreachable } from '@parley/shared/client';
import { ServiceError, type RouteShape } from '@parley/shared/contracts';
import type { Answer, BaseConfig, Forward, RequestContext } from '@parley/shared/service';

/** Headers of the owner's answer that reach the caller; all others are made here. */
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

const publicPrefix = (template: string): string => template.split('{')[0] ?? template;

/** The owner's path of a call: the caller's own text with the fixed part changed, so that encodings stay as they came. */
function ownerUrl(route: RouteShape, url: string): string {
  if (route.ownerPath === undefined) return url;
  return publicPrefix(route.ownerPath) + url.slice(publicPrefix(route.path).length);
}

/** Another gateway may leave out models and the sidecar: for a caller that is something the runtime cannot do. */
const notSupported = (): ServiceError =>
  new ServiceError('NOT_SUPPORTED_BY_RUNTIME', 'The runtime gateway in use cannot do this; use its own tools instead.');

/**
 * Passes calls on to the process that owns their route, body and answer streamed.
 * @throws ServiceError SERVICE_UNAVAILABLE with details.service when the owner cannot be reached, or is silent for longer
 * than its route may be.
 */
export function forwardTo({ peers, peer_timeout_ms }: Pick<BaseConfig, 'peers' | 'peer_timeout_ms'>): Forward {
  return async (route: RouteShape, request: RequestContext): Promise<Answer> => {
    const { raw } = request;
    const headers: Record<string, string> = { 'x-request-id': request.requestId };
    for (const name of SENT_ON) {
      const value = raw.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const silenceMs = timeLimitOf(route, peer_timeout_ms);
    // A caller that went away has ended the exchange itself: that says nothing about the owner.
    const asError = (cause: unknown): Error =>
      request.signal.aborted ? (request.signal.reason as Error) : unreachable(route.service, cause);
    const sends = raw.method !== 'GET' && raw.method !== 'HEAD';
    try {
      const answer = await peerRequest(`${peers[route.service]}${ownerUrl(route, raw.url ?? '/')}`, {
        method: raw.method ?? route.method,
        signal: request.signal,
        silenceMs,
        headers,
        ...(sends ? { body: raw } : {}),
      });
      const passed: Record<string, string> = {};
      for (const name of PASSED_ON) {
        const value = answer.headers[name];
        if (typeof value === 'string') passed[name] = value;
      }
      const isProblem = passed['content-type']?.startsWith('application/problem+json') ?? false;
      if (route.service === 'runtime_gateway' && answer.statusCode === 404 && !isProblem) {
        discardBody(answer);
        throw notSupported();
      }
      const content = new PatientBody(answer, silenceMs, asError);
      return { status: answer.statusCode ?? 502, headers: passed, content };
    } catch (error) {
      throw error instanceof ServiceError ? error : asError(error);
    }
  };
}
