import type { RouteAnswer, RouteCall, Routes } from '@parley/shared/contracts';
import { apiAddress } from './api-address';
import { ApiError } from './api-error';
import { ROUTE_PATHS, type ApiOperation } from './route-paths';

interface LooseCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls one operation of the route table. Types come from the contracts, paths from the generated table.
 * @throws ApiError with the code of the problem document, or UNREACHABLE when no answer came.
 */
export async function callApi<O extends ApiOperation>(
  operation: O,
  call: RouteCall<Routes[O]>,
  signal?: AbortSignal,
): Promise<RouteAnswer<Routes[O]>> {
  const { method, path } = ROUTE_PATHS[operation];
  const { params = {}, query = {}, body, headers = {} } = call as LooseCall;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const isUpload = body instanceof FormData;

  let response: Response;
  let text: string;
  try {
    response = await fetch(`${apiAddress().http}${filled}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: body === undefined || isUpload ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isUpload ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      // Cookies of a proxy that asks who somebody is, where page and API share its origin; the API itself has none.
      credentials: 'same-origin',
      cache: 'no-store',
    });
    text = await response.text();
  } catch (cause) {
    throw ApiError.unreachable(cause);
  }
  const answer = parseJson(text);
  if (!response.ok) throw ApiError.fromAnswer(response.status, answer);
  return answer as RouteAnswer<Routes[O]>;
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
