import { timeLimitOf, unreachable } from '@parley/shared/client';
import { ServiceError, type RouteShape } from '@parley/shared/contracts';
import { passOn, type Answer, type BaseConfig, type Forward, type RequestContext } from '@parley/shared/service';

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
    const answer = await passOn(request, `${peers[route.service]}${ownerUrl(route, request.raw.url ?? '/')}`, {
      silenceMs: timeLimitOf(route, peer_timeout_ms),
      unreachable: (cause) => unreachable(route.service, cause),
    });
    const isProblem = answer.headers?.['content-type']?.startsWith('application/problem+json') ?? false;
    if (route.service !== 'runtime_gateway' || answer.status !== 404 || isProblem) return answer;
    answer.content.destroy();
    throw notSupported();
  };
}
