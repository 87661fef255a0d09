import type Koa from 'koa';
import { ServiceError } from '@parley/shared/contracts';
import { isPagePath } from '../page-paths';
import { contentPolicy } from './content-policy';
import type { PageFile, PageFiles } from './page-files';

/**
 * Answers the files of the page, and index.html for the paths that are pages. A browser that opens any other address gets
 * index.html with status 404, which then says that there is no such page; everybody else goes on to the next middleware,
 * which answers with a problem document.
 */
export function servePage({ files, index }: PageFiles, apiPort: number | null): Koa.Middleware {
  return async (ctx, next) => {
    const file = isPagePath(ctx.path) ? index : files.get(ctx.path);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (file === undefined) {
      ctx.vary('Accept');
      if (isRead && opensPage(ctx)) await answerPage(ctx, 404);
      else await next();
      return;
    }
    if (!isRead)
      throw new ServiceError('METHOD_NOT_ALLOWED', 'The page is only there to be read.', {
        headers: { Allow: 'GET, HEAD' },
      });
    if (file === index) await answerPage(ctx, 200);
    else await answerFile(ctx, file, 200);
  };

  function answerPage(ctx: Koa.Context, status: 200 | 404): Promise<void> {
    ctx.set('Content-Security-Policy', contentPolicy(ctx.get('Host'), apiPort));
    return answerFile(ctx, index, status);
  }
}

/** Whether a person opens the address: what scripts and programs ask for is no page. */
const opensPage = (ctx: Koa.Context): boolean => ctx.accepts('json', 'html') === 'html';

async function answerFile(ctx: Koa.Context, file: PageFile, status: 200 | 404): Promise<void> {
  // The smallest is sent to whoever takes it at all.
  const encoding = file.encodings.find((name) => ctx.acceptsEncodings(name) === name) ?? null;
  ctx.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.vary('Accept-Encoding');
  ctx.status = status;
  ctx.etag = file.etag;
  // Koa calls an answer fresh only when it is a good one: a page that is not there is sent whole each time.
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = file.extension;
  if (encoding !== null) ctx.set('Content-Encoding', encoding);
  ctx.body = await file.read(encoding);
}
