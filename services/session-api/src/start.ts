import { ServiceError, ROUTES } from '@parley/shared/contracts';
import {
  createMetrics,
  settledWithin,
  startHttpService,
  type Logger,
  type RunningService,
} from '@parley/shared/service';
import { finishClearing, getRuntimeChoice, startWithDatabase, type Database } from '@parley/shared/store';
import type { Middleware } from 'koa';
import type { SessionApiConfig } from './config';
import { createContext, type ContextOverrides } from './context';
import { hearingOf } from './live/obey-orders';
import { ownPresence, type Presence } from './live/presence';
import { redisPresence } from './live/redis-presence';
import { sessionRoutes } from './routes/session-routes';
import { systemRoutes } from './routes/system-routes';
import { forwardTo } from './system/forward-call';

/** Voice is reserved: whatever is asked under its prefix, but the one status call. */
const reservedVoice: Middleware = async (ctx, next) => {
  if (ctx.path === '/api/stt' || ctx.path.startsWith('/api/stt/'))
    throw new ServiceError('RESERVED', 'Voice is reserved for a later version; type instead.');
  await next();
};

/**
 * Starts session-api: what sessions keep outside of the database, HTTP and WebSocket. Stops in reverse order.
 * @throws DatabaseOpenError, PortTakenError, StartError
 */
export function startSessionApi(
  config: SessionApiConfig,
  logger: Logger,
  overrides: ContextOverrides = {},
): Promise<RunningService> {
  // Without Redis sockets, turns under way and the words of sessions that are not saved are in the memory of this process.
  const share = config.redis_url === null ? 'sole' : 'peers';
  return startWithDatabase({ config: config.base, logger, share }, async (database) => {
    // Nobody may see what a clear was to delete, so it comes before the first answer.
    await finishClearing(database);
    const chosen = config.runtime_id ?? (await getRuntimeChoice(database))?.runtime_id ?? 'fake';
    const presence = await presenceOf(config, database, logger.child({ subsystem: 'live' }));
    try {
      const metrics = createMetrics('session_api', config.base.instance);
      const context = createContext(config, logger, database, metrics, presence, chosen, overrides);
      await presence.open(hearingOf(context));
      const http = await startHttpService({
        config: config.base,
        logger,
        metrics,
        allowedOrigins: config.allowed_origins,
        routes: ROUTES,
        handlers: { ...sessionRoutes(context), ...systemRoutes(context) },
        forward: forwardTo(config.base),
        extra: [reservedVoice],
        onError: (code) => context.errors.add(code),
        onUpgrade: (request, socket, head) => context.hub.accept(request, socket, head),
      });
      await context.debriefs.resume();
      context.storage.start();
      return {
        port: http.port,
        ownPort: http.ownPort,
        async stop() {
          // Running turns have a few seconds to finish; what is left then is aborted and leaves no trace.
          const closing = http.close(10_000);
          await settledWithin(context.turns.settled(), TURN_GRACE_MS);
          await context.turns.abortAllHere();
          context.debriefs.stop();
          await context.storage.stop();
          await context.hub.close();
          await closing;
          await presence.close();
        },
      };
    } catch (error) {
      await presence.close();
      throw error;
    }
  });
}

async function presenceOf(config: SessionApiConfig, database: Database, logger: Logger): Promise<Presence> {
  const { redis_url: url, base } = config;
  if (url === null || base.internal_key === null) return ownPresence();
  return redisPresence({ url, internalKey: base.internal_key, database, logger });
}

const TURN_GRACE_MS = 4_000;
