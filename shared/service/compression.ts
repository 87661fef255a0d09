import { constants } from 'node:zlib';
import type { Context, Middleware, Next } from 'koa';

/** Answers shorter than this many bytes are sent as they are. */
const WORTH_COMPRESSING_BYTES = 1024;
/** What Parley writes itself. Files of packs and models pass through as they are, and so does what is written piece by piece. */
const COMPRESSED_TYPES = /^(application\/(problem\+)?json|text\/(html|markdown))$/;
/** Of two to the power of this many bytes: a window that an answer fills, where the usual one takes megabytes for each. */
const BROTLI_WINDOW_BITS = 18;

let compress: Promise<Middleware> | undefined;

/** Loaded for the first caller that asks for it: the other processes never do. */
async function loadCompress(): Promise<Middleware> {
  const { default: koaCompress } = await import('koa-compress');
  return koaCompress({
    threshold: WORTH_COMPRESSING_BYTES,
    filter: (type) => COMPRESSED_TYPES.test(type),
    br: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS },
    },
    deflate: false,
    zstd: false,
  });
}

/** Answers with what `answer` leaves as the body, in br or gzip when the caller takes it. */
export async function answerCompressed(ctx: Context, answer: Next): Promise<void> {
  const middleware = await (compress ??= loadCompress());
  await middleware(ctx, answer);
}
