import type { ServerResponse } from 'node:http';
import { ServiceError, type ChatItem } from '@parley/shared/contracts';
import type { Handlers, Logger } from '@parley/shared/service';
import type { GatewayContext } from '../context';
import type { GeneratedItem } from '../providers/provider';

const CONTENT_TYPE = 'application/x-ndjson; charset=utf-8';

const lineOf = (item: ChatItem): string => `${JSON.stringify(item)}\n`;

/** Waits until the caller has taken what is written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.once('drain', settle);
    response.once('close', settle);
  });
}

function errorItem(error: unknown, logger: Logger): ChatItem {
  if (error instanceof ServiceError) return { type: 'error', code: error.code, message: error.message };
  logger.error({ err: error }, 'chat failed');
  return { type: 'error', code: 'INTERNAL', message: 'Something went wrong inside the gateway; its log says more.' };
}

/**
 * Writes the items as they come, one JSON object a line. The next item is asked for only when the caller has taken the
 * last: a slow caller slows the runtime. A failure becomes an error line, since the status is out already.
 */
async function writeItems(
  response: ServerResponse,
  first: GeneratedItem,
  rest: AsyncIterator<GeneratedItem>,
  logger: Logger,
): Promise<void> {
  let item: GeneratedItem | undefined = first;
  try {
    while (item !== undefined) {
      const isFree = response.write(lineOf(item));
      if (item.type === 'final') break;
      if (!isFree) await drained(response);
      if (response.destroyed) break;
      const next: IteratorResult<GeneratedItem> = await rest.next();
      item = next.done === true ? undefined : next.value;
    }
    if (item === undefined) throw new Error('the provider ended without a final item');
  } catch (error) {
    if (!response.destroyed) response.write(lineOf(errorItem(error, logger)));
  }
  response.end();
}

/**
 * POST /runtime/chat (contract section 8). The answer begins with the first item: whatever fails before it is an HTTP
 * error. When the caller goes away, the generation is cancelled at once.
 */
export function chatRoute({ provider, slots }: GatewayContext): Handlers {
  return {
    chat: async ({ body }, { signal, logger }) => {
      const release = await slots.take(signal);
      const items = provider.chatStream(body, signal)[Symbol.asyncIterator]();
      const finish = async (): Promise<void> => {
        try {
          await items.return?.();
        } finally {
          release();
        }
      };
      try {
        const first = await items.next();
        if (first.done === true) throw new Error('the provider ended without an item');
        return {
          headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' },
          write: async (response) => {
            try {
              await writeItems(response, first.value, items, logger);
            } finally {
              await finish();
            }
          },
        };
      } catch (error) {
        await finish();
        throw error;
      }
    },
  };
}
