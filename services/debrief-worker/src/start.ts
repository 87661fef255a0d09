import { INTERNAL_ROUTES } from '@parley/shared/contracts';
import { createMetrics, startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import { startWithDatabase } from '@parley/shared/store';
import type { WorkerConfig } from './config';
import { createContext, type ContextOverrides } from './context';
import { JobRunner } from './jobs/job-runner';
import { workerRoutes } from './routes/worker-routes';

/**
 * Starts the worker: it looks at the queue at once, whenever it is woken, and every now and then.
 * @throws DatabaseOpenError, PortTakenError
 */
export function startDebriefWorker(
  config: WorkerConfig,
  logger: Logger,
  overrides: ContextOverrides = {},
): Promise<RunningService> {
  return startWithDatabase({ config: config.base, logger }, async (database) => {
    const metrics = createMetrics('debrief_worker');
    const context = createContext(config, logger, database, overrides, metrics);
    const runner = new JobRunner(context);
    const handlers = workerRoutes(context, runner);
    const http = await startHttpService({ config: config.base, logger, metrics, routes: INTERNAL_ROUTES, handlers });
    runner.start();
    return {
      port: http.port,
      async stop() {
        const closing = http.close(1_000);
        await runner.stop();
        await closing;
      },
    };
  });
}
