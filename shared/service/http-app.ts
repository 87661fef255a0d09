import { randomUUID } from 'node:crypto';
import cors from '@koa/cors';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import {
  DiskFullError,
  REQUEST_ID_PATTERN,
  ServiceError,
  UPLOAD_LIMIT,
  JSON_BODY_LIMIT,
  type ErrorCode,
  type OperationName,
  type Problem,
  type RouteInput,
  type RouteShape,
  type Routes,
} from '@parley/shared/contracts';
import { answerCompressed } from './compression';
import type { Guard } from './guard';
import type { BaseConfig } from './base-config';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import { bodyMedia, readJson } from './read-body';
import { parseInput } from './parse-input';
import { addProbes, requireLocal } from './probes';
import { readUpload } from './read-upload';
import { RouteCall, type RequestContext } from './route-call';
import { sendAnswer, type Answer } from './send-answer';

type Handler<R extends RouteShape> = (input: RouteInput<R>, request: RequestContext) => Answer | Promise<Answer>;
export type Handlers = { readonly [K in OperationName]?: Handler<Routes[K]> };

/** Passes on a call to a route that another process owns. */
export type Forward = (route: RouteShape, request: RequestContext) => Promise<Answer>;

export interface HttpAppOptions {
  readonly config: BaseConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly guard: Guard;
  /** The parts of the route table that concern this process; of those it takes what it answers and what it passes on. */
  readonly routes: Readonly<Record<string, RouteShape>>;
  readonly handlers: Handlers;
  /** session_api passes calls of other owners on with it. */
  readonly forward?: Forward;
  /** A reader of packs passes on what it has no handler for itself. */
  readonly writer?: Forward;
  /** Middleware after the routes: the page's files, or paths that no route describes. */
  readonly extra?: readonly Koa.Middleware[];
  readonly isReady: () => boolean;
  /** Told of every error that is answered. */
  readonly onError?: (code: ErrorCode) => void;
}

/** The owner of a route that session_api passes on may answer it at a path of its own. */
const koaPath = (route: RouteShape, service: string): string => {
  const path = route.service === service ? (route.ownerPath ?? route.path) : route.path;
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => (name === route.wildcard ? `*${name}` : `:${name}`));
};

/** The routes that a process answers: its own, and those that it passes on. */
function routesOf({ config, routes, handlers, forward }: HttpAppOptions): RouteShape[] {
  const found = Object.values(routes).filter(
    (route) => route.service === config.service || (forward !== undefined && route.via === config.service),
  );
  const lost = Object.keys(handlers).find((operation) => found.every((route) => route.operation !== operation));
  if (lost !== undefined) throw new Error(`${config.service} has a handler for ${lost}, but was given no such route`);
  return found;
}

function problemOf(error: ServiceError, requestId: string): Problem {
  return {
    type: 'about:blank',
    title: error.title,
    status: error.status,
    detail: error.message,
    code: error.code,
    retryable: error.retryable,
    request_id: requestId,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** What a browser must keep to with anything that it gets to see. A handler's own header of the same name wins. */
const HEADERS_FOR_BROWSERS = Object.entries({
  Vary: 'Origin',
  // Conversations are nothing for a disk cache.
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-site',
});

/** The path of a target without parsing it, which may throw, and the guard has not looked at it yet. */
const plainPath = (target: string): string => {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
};

/** A route without parameters in its path. */
interface FixedRoute {
  answer(ctx: Context): Promise<void>;
  /** Not for pages, and at no address that a browser opens by itself. */
  readonly isForProgramsOnly: boolean;
}

/** Makes the Koa app of a process out of the route table: guard, request ids, validation, problem documents, probes. */
export function createHttpApp(options: HttpAppOptions): Koa {
  const { config, logger, metrics, guard, handlers, forward } = options;
  const app = new Koa({ proxy: false });
  const router = new Router();
  app.silent = true;

  /** Everything that is done for each call, in one step: each one of Koa's costs a call that waits for a model's first word. */
  app.use(async (ctx, next) => {
    const fixed = fixedRoutes.get(`${ctx.method} ${plainPath(ctx.req.url ?? '')}`);
    const answer = fixed === undefined ? next : () => fixed.answer(ctx);
    const given = ctx.req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID_PATTERN.test(given) ? given : randomUUID();
    ctx.state['requestId'] = requestId;
    // Past Koa, which looks at each name and value again: every call pays for this.
    ctx.res.setHeader('X-Request-Id', requestId);
    // A browser that a page leads here by a form is refused, but shows what it is told; it says where it comes from.
    if (fixed?.isForProgramsOnly !== true || ctx.req.headers.origin !== undefined)
      for (const [name, value] of HEADERS_FOR_BROWSERS) ctx.res.setHeader(name, value);
    const begun = performance.now();
    ctx.res.once('close', () => {
      const seconds = (performance.now() - begun) / 1000;
      const operation = (ctx.state['operation'] as string | undefined) ?? 'none';
      metrics.requestDuration.observe({ operation, status: String(ctx.status) }, seconds);
      logger.debug(
        { request_id: requestId, operation, status: ctx.status, duration_ms: Math.round(seconds * 1e6) / 1e3 },
        'request answered',
      );
    });
    const guarded = async (): Promise<void> => {
      try {
        guard.check(ctx.req);
        if (ctx.req.headers.origin === undefined) await answer();
        else await forPages(ctx, answer);
      } catch (error) {
        answerError(ctx, error, requestId);
      }
    };
    if (ctx.req.headers['accept-encoding'] === undefined) await guarded();
    else await answerCompressed(ctx, guarded);
  });

  const answerError = (ctx: Context, error: unknown, requestId: string): void => {
    // The caller went away, and what was under way for it was given up: nobody is left to tell, and nothing went wrong.
    if (ctx.res.destroyed && (error as Error | null)?.name === 'AbortError') return;
    let known = error instanceof ServiceError ? error : DiskFullError.of(error);
    if (known === null) {
      logger.error(
        { err: error, request_id: requestId, operation: ctx.state['operation'] as string },
        'request failed',
      );
      known = new ServiceError('INTERNAL', `Something went wrong inside Parley; the logs name it by ${requestId}.`);
    }
    metrics.errors.inc({ code: known.code });
    options.onError?.(known.code);
    if (ctx.res.headersSent) {
      ctx.res.destroy();
      return;
    }
    if (known.status >= 500 && known.code !== 'INTERNAL')
      logger.info({ request_id: requestId, code: known.code, err: known.cause }, 'request answered with an error');
    ctx.status = known.status;
    // Whatever the answer would have allowed that it has become an error of.
    ctx.res.removeHeader('ETag');
    // Node knows the older phrases of some statuses: the status line says what the title says.
    ctx.message = known.title;
    ctx.set({ 'Cache-Control': 'no-store', ...known.headers });
    ctx.body = JSON.stringify(problemOf(known, requestId));
    ctx.set('Content-Type', 'application/problem+json');
  };

  const forPages = cors({
    // The guard has let nothing through but the page's own origin and those that the configuration names.
    origin: (ctx) => ctx.get('Origin'),
    allowMethods: 'GET,POST,PUT,PATCH,DELETE',
    allowHeaders: 'Content-Type,Idempotency-Key,If-None-Match,Prefer,X-Request-Id',
    exposeHeaders: 'X-Request-Id,Location,Retry-After,Content-Disposition,Preference-Applied,ETag',
    maxAge: 600,
    // A page from the network that is named may call this machine: browsers ask about that on its own.
    privateNetworkAccess: true,
    keepHeadersOnError: false,
  });

  addProbes(router, options);

  const routes = routesOf(options);
  /** Routes without parameters by method and path: found without asking every pattern. */
  const fixedRoutes = new Map<string, FixedRoute>();
  for (const route of routes) {
    const handler = handlers[route.operation as OperationName] as Handler<RouteShape> | undefined;
    const path = koaPath(route, config.service);
    const answer = async (ctx: Context): Promise<void> => {
      ctx.state['operation'] = route.operation;
      await answerRoute(ctx, route, handler);
    };
    router.register(path, [route.method], answer);
    if (/[:*]/.test(path)) continue;
    // No page may call these, and a browser opens addresses by GET only.
    const isForProgramsOnly = route.audience === 'internal' && route.method !== 'GET';
    fixedRoutes.set(`${route.method} ${path}`, { answer, isForProgramsOnly });
  }

  const whoElseAnswers = (route: RouteShape, handler: Handler<RouteShape> | undefined): Forward | undefined => {
    if (route.service !== config.service) return forward;
    return handler === undefined ? options.writer : undefined;
  };

  const answerRoute = async (
    ctx: Context,
    route: RouteShape,
    handler: Handler<RouteShape> | undefined,
  ): Promise<void> => {
    if (route.audience !== 'player') requireLocal(guard, ctx);
    if (route.audience === 'internal' && ctx.req.headers.origin !== undefined)
      throw new ServiceError('ORIGIN_NOT_ALLOWED', 'Pages may not call the processes behind the API; call the API.');
    const requestId = ctx.state['requestId'] as string;
    const request = new RouteCall({
      requestId,
      operation: route.operation,
      isLoopback: guard.isLocal(ctx.req),
      parentLogger: logger,
      raw: ctx.req,
      response: ctx.res,
    });
    const media = ctx.method === 'GET' || ctx.method === 'HEAD' ? 'absent' : bodyMedia(ctx.req, route);
    const passOn = whoElseAnswers(route, handler);
    if (passOn !== undefined) {
      await send(ctx, route, await passOn(route, request));
      return;
    }
    if (handler === undefined) throw new ServiceError('NOT_FOUND', 'This process does not answer this call.');
    const upload = media === 'multipart' ? await readUpload(ctx, config.data_dir, UPLOAD_LIMIT) : null;
    request.upload = upload;
    try {
      const json = media === 'json' ? await readJson(ctx.req, route.bodyLimit ?? JSON_BODY_LIMIT) : undefined;
      const input = parseInput(ctx, route, json, upload !== null);
      await send(ctx, route, await handler(input, request));
    } finally {
      await upload?.remove();
    }
  };

  const send = (ctx: Context, route: RouteShape, answer: Answer): Promise<void> =>
    sendAnswer(ctx, route, answer, {
      validate: config.validate_responses,
      onFailure: (error) => answerError(ctx, error, ctx.state['requestId'] as string),
    });

  app.use(router.routes());
  for (const middleware of options.extra ?? []) app.use(middleware);
  app.use((ctx) => {
    const { path } = router.match(ctx.path, ctx.method);
    const methods = [...new Set(path.flatMap((layer) => layer.methods))].sort();
    if (methods.length > 0 && !methods.includes(ctx.method))
      throw new ServiceError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}.`, {
        headers: { Allow: methods.join(', ') },
      });
    throw new ServiceError('NOT_FOUND', 'There is nothing at this path; /api/docs lists all paths.');
  });
  return app;
}
