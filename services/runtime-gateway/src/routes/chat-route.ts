import type { ServerResponse } from 'node:http';
import { AFFINITY_HEADER, ServiceError, type ChatFinal, type ChatItem } from '@parley/shared/contracts';
import { withSignsOfLife, type Handlers, type Logger, type RequestContext } from '@parley/shared/service';
import type { GatewayContext } from '../context';
import type { LastChat } from '../generation/last-chat';
import type { GeneratedItem } from '../providers/provider';
import { LineWriter } from './line-writer';

const CONTENT_TYPE = 'application/x-ndjson; charset=utf-8';

function errorItem(error: unknown, logger: Logger): ChatItem {
  if (error instanceof ServiceError) return { type: 'error', code: error.code, message: error.message };
  logger.error({ err: error }, 'chat failed');
  return { type: 'error', code: 'INTERNAL', message: 'Something went wrong inside the gateway; its log says more.' };
}

/**
 * Writes the items as they come, one JSON object a line, and answers the final one; null when there was none. The next item
 * is asked for only when the caller has taken the last: a slow caller slows the runtime. A failure becomes an error line,
 * since the status is out already.
 */
async function writeItems(
  response: ServerResponse,
  first: GeneratedItem,
  rest: AsyncIterator<GeneratedItem>,
  { logger }: Pick<RequestContext, 'logger'>,
  lastChat: LastChat,
): Promise<ChatFinal | null> {
  const lines = new LineWriter(response);
  let item = first;
  try {
    for (;;) {
      lines.write(item);
      if (item.type === 'final') return item;
      const drained = lines.drained();
      if (drained !== null) await drained;
      if (response.destroyed) return null;
      const next = await rest.next();
      if (next.done === true) throw new Error('the provider ended without a final item');
      item = next.value;
    }
  } catch (error) {
    lastChat.failed(error);
    lines.write(errorItem(error, logger));
    return null;
  } finally {
    lines.end();
  }
}

/**
 * POST /runtime/chat (docs/gateway/README.md, The contract). The answer begins with the first item: whatever fails
 * before it is an HTTP error. When the caller goes away, the generation is cancelled at once.
 */
export function chatRoute({ runtime, slots, generationMetrics, lastChat }: GatewayContext): Handlers {
  return {
    chat: async ({ body, headers }, request) => {
      const { signal, stillWorking } = request;
      const begun = performance.now();
      let firstItemAfter: number | null = null;
      // The queue and the provider watch over themselves; a caller that hears nothing must not give up before they do.
      const release =
        (signal.aborted ? null : slots.takeFree()) ?? (await withSignsOfLife(stillWorking, slots.take(signal)));
      const { provider, giveBack } = runtime.borrow();
      const items = provider.chatStream(body, signal, headers[AFFINITY_HEADER] ?? null)[Symbol.asyncIterator]();
      const finish = async (final: ChatFinal | null): Promise<void> => {
        const outcome = final !== null ? 'final' : signal.aborted ? 'cancelled' : 'error';
        if (final !== null) lastChat.succeeded();
        if (firstItemAfter !== null) generationMetrics.firstItem(firstItemAfter);
        generationMetrics.finished(outcome, final);
        try {
          await items.return?.();
        } finally {
          giveBack();
          release();
        }
      };
      try {
        const first = await withSignsOfLife(stillWorking, items.next());
        if (first.done === true) throw new Error('the provider ended without an item');
        firstItemAfter = (performance.now() - begun) / 1000;
        return {
          headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' },
          write: async (response) => finish(await writeItems(response, first.value, items, request, lastChat)),
        };
      } catch (error) {
        lastChat.failed(error);
        await finish(null);
        throw error;
      }
    },
  };
}
