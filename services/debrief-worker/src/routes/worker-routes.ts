import type { Handlers } from '@parley/shared/service';
import type { WorkerContext } from '../context';
import { rescoreDebrief } from '../debrief/rescore-debrief';

/** What session-api asks of the worker. */
export const workerRoutes = (context: WorkerContext, runner: { wake(): void }): Handlers => ({
  // A job was queued: look at once. A wake that gets lost only makes the debrief wait for the next look.
  wakeWorker: () => {
    runner.wake();
    return { status: 204 };
  },
  rescoreDebrief: async ({ params }, { signal }) => ({ body: await rescoreDebrief(context, params.id, signal) }),
});
