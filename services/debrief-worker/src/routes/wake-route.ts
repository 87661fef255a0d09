import type { Handlers } from '@parley/shared/service';

/** A job was queued: look at once. A wake that gets lost only makes the debrief wait for the next look. */
export const wakeRoute = (runner: { wake(): void }): Handlers => ({
  wakeWorker: () => {
    runner.wake();
    return { status: 204 };
  },
});
