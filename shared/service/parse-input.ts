import type { Context } from 'koa';
import { ServiceError, type RouteInput, type RouteShape } from '@parley/shared/contracts';
import { notFoundFor, validated } from './validate';

/**
 * What a handler gets of a call: every part checked against the route.
 * @throws ServiceError VALIDATION_ERROR, or the route's own NOT_FOUND for a path parameter that cannot name anything.
 */
export function parseInput(ctx: Context, route: RouteShape, json: unknown, uploaded: boolean): RouteInput<RouteShape> {
  const body = bodyOf(route, json, uploaded);
  const query = route.query === undefined ? {} : validated(route.query, knownQuery(ctx, route), 'query');
  const headers = route.headers === undefined ? {} : validated(route.headers, ctx.req.headers, 'header');
  const params = route.params?.safeParse(ctx['params']);
  if (params?.success === false) throw notFoundFor(route);
  return { params: params?.data ?? {}, query, headers, body } as unknown as RouteInput<RouteShape>;
}

function bodyOf(route: RouteShape, json: unknown, uploaded: boolean): unknown {
  if (uploaded) return undefined;
  if (route.body !== undefined) return validated(route.body, json ?? (route.bodyKind === 'empty' ? {} : json), 'body');
  const empty = json === undefined || (typeof json === 'object' && json !== null && !Array.isArray(json));
  const members = empty ? Object.keys(json ?? {}) : [];
  if (!empty || members.length > 0)
    throw new ServiceError('VALIDATION_ERROR', 'This operation takes no body; leave it out or send {}.', {
      details: {
        issues: empty
          ? members.map((path) => ({ path, message: `Unknown member ${path}.` }))
          : [{ path: '', message: 'Must be absent, empty or {}.' }],
      },
    });
  return undefined;
}

/** Unknown query names are ignored; a known one that stands twice reaches its schema as a list and fails there. */
function knownQuery(ctx: Context, route: RouteShape): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(route.query?.shape ?? {}))
    if (ctx.query[name] !== undefined) known[name] = ctx.query[name];
  return known;
}
