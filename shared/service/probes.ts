import type Router from '@koa/router';
import type { Context } from 'koa';
import { PROBE_PATHS, ServiceError, VERSION } from '@parley/shared/contracts';
import type { BaseConfig } from './base-config';
import type { Guard } from './guard';
import type { Metrics } from './metrics';
import { answerJson } from './send-answer';
import { expositionAt } from './siblings';

/** @throws ServiceError LOCAL_ONLY for a caller from the network */
export function requireLocal(guard: Guard, ctx: Context): void {
  if (!guard.isLocal(ctx.req))
    throw new ServiceError('LOCAL_ONLY', 'This is only answered to callers on the machine where Parley runs.');
}

interface Probed {
  readonly config: BaseConfig;
  readonly guard: Guard;
  readonly metrics: Metrics;
  readonly isReady: () => boolean;
}

/** Adds what every process answers to those who watch it: livez, readyz and its metrics. */
export function addProbes(router: Router, { config, guard, metrics, isReady }: Probed): void {
  const startedAt = Date.now();
  router.get(PROBE_PATHS.livez, (ctx) => {
    answerJson(ctx, { status: 'ok' });
  });
  router.get(PROBE_PATHS.readyz, (ctx) => {
    const ready = isReady();
    ctx.status = ready ? 200 : 503;
    const status = ready ? 'ready' : 'not_ready';
    // Process ids and memory are no business of others on the LAN.
    if (!guard.isLocal(ctx.req)) return answerJson(ctx, { status });
    answerJson(ctx, {
      status,
      service: config.service,
      version: VERSION,
      uptime_s: Math.round((Date.now() - startedAt) / 1000),
      pid: process.pid,
      memory_bytes: process.memoryUsage.rss(),
      restarts: config.restarts,
    });
  });
  router.get(PROBE_PATHS.metrics, async (ctx) => {
    requireLocal(guard, ctx);
    ctx.body = await expositionAt(ctx.req.socket.localPort, config, metrics);
    ctx.set('Content-Type', metrics.registry.contentType);
  });
}
