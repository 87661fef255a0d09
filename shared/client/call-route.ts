import type { Agent } from 'node:http';
import {
  ERROR_KINDS, ROUTES, ServiceError, type ErrorCode, type OperationName, type RouteAnswer, type RouteCall, type RouteShape,
  type Routes, type ServiceName,
} from '@parley/shared/contracts'; // prettier-ignore
import { peerRequest, readText } from './peer-request';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface CallOptions {
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call; default 10,000. */
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
        problem.detail ?? ERROR_KINDS[problem.code as ErrorCode].title,
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
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The ${service.replace('_', ' ')} cannot be reached. Check that all of Parley runs with npm run status, then try again.`,
    { details: { service }, cause },
  );
}

/**
 * Calls an operation of another process and answers its parsed body (`undefined` when it has none).
 * @throws ServiceError with the peer's own code; SERVICE_UNAVAILABLE when it cannot be reached or does not answer in time.
 */
export async function callRoute<K extends OperationName>(
  baseUrl: string,
  operation: K,
  call: RouteCall<Routes[K]>,
  options: CallOptions = {},
): Promise<RouteAnswer<Routes[K]>> {
  const route: RouteShape = ROUTES[operation];
  const given = call as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown } & {
    headers?: Record<string, string>;
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const search = query.size > 0 ? `?${query.toString()}` : '';
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  let status: number;
  let text: string;
  try {
    const answer = await peerRequest(`${baseUrl}${pathOf(route, given.params)}${search}`, {
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
    status = answer.statusCode ?? 0;
    text = await readText(answer, MAX_ANSWER_BYTES);
  } catch (cause) {
    throw unreachable(route.service, cause);
  }
  if (status >= 400) throw errorOfAnswer(route.service, status, text);
  if (text === '') return undefined as RouteAnswer<Routes[K]>;
  const schema = route.responses[status]?.schema;
  try {
    const body: unknown = JSON.parse(text);
    return (schema === undefined ? body : schema.parse(body)) as RouteAnswer<Routes[K]>;
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', `The ${route.service} gave an answer that breaks its contract.`, {
      details: { service: route.service },
      cause,
    });
  }
}
