import { AFFINITY_HEADER, ServiceError } from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';

/**
 * POST /runtime/prewarm: reads a prompt into the runtime's cache, so that the turn that follows has only its last words to
 * read. It takes a free slot or none: a guess must not make a turn wait.
 */
export function prewarmRoute({ runtime, slots, lastChat }: GatewayContext): Handlers {
  return {
    prewarm: async ({ body, headers }, { signal }) => {
      if (runtime.provider.prewarm === undefined)
        throw new ServiceError(
          'NOT_SUPPORTED_BY_RUNTIME',
          'This runtime cannot read a prompt ahead; just send the turn.',
        );
      const release = slots.takeFree();
      if (release === null)
        throw new ServiceError('OVERLOADED', 'The model is busy with turns; just send the turn.', {
          headers: { 'Retry-After': '2' },
        });
      try {
        const talk = headers[AFFINITY_HEADER] ?? null;
        await runtime.use(async (provider) => provider.prewarm?.(body, signal, talk));
        return { status: 204 };
      } catch (error) {
        // What is refused here is refused to the turn as well: health says so before anything was said.
        lastChat.failed(error);
        throw error;
      } finally {
        release();
      }
    },
  };
}
