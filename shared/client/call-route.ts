import type { Agent, IncomingMessage } from 'node:http';
import {
  ERROR_KINDS,
  ServiceError,
  type ErrorCode,
  type RouteAnswer,
  type RouteCall,
  type RouteShape,
  type ServiceName,
} from '@parley/shared/contracts';
import { peerRequest, readText, wasLost } from './peer-request';
import { PeerSilentError, timeLimitOf, withinTime } from './time-limit';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface CallOptions {
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds that a read may take in all; default 10,000. A route with more patience gets a multiple of it. */
  readonly timeoutMs?: number;
  readonly agent?: Agent;
}

/** Path of a route with its parameters filled in; a wildcard keeps its slashes. */
export function pathOf(route: RouteShape, params: Readonly<Record<string, unknown>> = {}): string {
  return route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(params[name]);
    return name === route.wildcard ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
}

/** What a peer answered with, as an error of our own: its problem document when it is one. */
export function errorOfAnswer(service: ServiceName, status: number, text: string): ServiceError {
  try {
    const problem = JSON.parse(text) as { code?: string; detail?: string; details?: Record<string, unknown> };
    if (typeof problem.code === 'string' && Object.hasOwn(ERROR_KINDS, problem.code))
      return new ServiceError(
        problem.code as ErrorCode,
        problem.detail ?? ERROR_KINDS[problem.code as ErrorCode].meaning,
        problem.details === undefined ? {} : { details: problem.details },
      );
  } catch {
    // Not a problem document: fall through.
  }
  return new ServiceError('SERVICE_UNAVAILABLE', `The ${service.replace('_', ' ')} answered with status ${status}.`, {
    details: { service },
  });
}

export function unreachable(service: ServiceName, cause: unknown): ServiceError {
  const name = service.replace('_', ' ');
  const what = cause instanceof PeerSilentError ? 'does not answer' : 'cannot be reached';
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The ${name} ${what}. Check that all of Parley runs with npm run status, then try again.`,
    { details: { service }, cause },
  );
}

/** Whether a call failed because the other process said nothing in time, so that asking again at once is no use. */
export const wasSilent = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause instanceof PeerSilentError;

/**
 * Calls an operation of another process and answers its parsed body (`undefined` when it has none).
 * @throws ServiceError with the peer's own code; SERVICE_UNAVAILABLE when it cannot be reached or does not answer in time.
 */
export async function callRoute<R extends RouteShape>(
  baseUrl: string,
  route: R,
  call: RouteCall<R>,
  options: CallOptions = {},
): Promise<RouteAnswer<R>> {
  const given = call as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown } & {
    headers?: Record<string, string>;
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const search = query.size > 0 ? `?${query.toString()}` : '';
  let status: number;
  let text: string;
  try {
    [status, text] = await withinTime(timeLimitOf(route, options.timeoutMs), options.signal, async (signal) => {
      const ask = (): Promise<IncomingMessage> =>
        peerRequest(`${baseUrl}${pathOf(route, given.params)}${search}`, {
          method: route.method,
          signal,
          headers: {
            ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
            ...given.headers,
          },
          ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
          ...(options.agent === undefined ? {} : { agent: options.agent }),
        });
      const read = async (answer: IncomingMessage): Promise<[number, string]> => [
        answer.statusCode ?? 0,
        await readText(answer, MAX_ANSWER_BYTES),
      ];
      // What died in the middle of its answer may have another beside it, who gives it whole.
      return read(await ask()).catch(async (error: unknown) => {
        if (route.method !== 'GET' || signal.aborted || !wasLost(error)) throw error;
        return read(await ask());
      });
    });
  } catch (cause) {
    throw unreachable(route.service, cause);
  }
  if (status >= 400) throw errorOfAnswer(route.service, status, text);
  if (text === '') return undefined as RouteAnswer<R>;
  const schema = route.responses[status]?.schema;
  try {
    const body: unknown = JSON.parse(text);
    return (schema === undefined ? body : schema.parse(body)) as RouteAnswer<R>;
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', `The ${route.service} gave an answer that breaks its contract.`, {
      details: { service: route.service },
      cause,
    });
  }
}
