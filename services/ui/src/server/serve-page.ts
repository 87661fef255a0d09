import type Koa from 'koa';
import { ServiceError } from '@parley/shared/contracts';
import { isPagePath } from '../page-paths';
import { contentPolicy } from './content-policy';
import type { PageFile, PageFiles } from './page-files';

/**
 * Answers the files of the page, and index.html for the paths that are pages. Everything else goes on to the next
 * middleware, which answers 404: a wrong path is not disguised as a page.
 */
export function servePage({ files, index }: PageFiles, apiPort: number): Koa.Middleware {
  return async (ctx, next) => {
    const file = isPagePath(ctx.path) ? index : files.get(ctx.path);
    if (file === undefined) {
      await next();
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new ServiceError('METHOD_NOT_ALLOWED', 'The page is only there to be read.', {
        headers: { Allow: 'GET, HEAD' },
      });
    if (file === index) ctx.set('Content-Security-Policy', contentPolicy(ctx.get('Host'), apiPort));
    ctx.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    ctx.vary('Accept-Encoding');
    await answerFile(ctx, file);
  };
}

async function answerFile(ctx: Koa.Context, file: PageFile): Promise<void> {
  // The smallest is sent to whoever takes it at all.
  const encoding = file.encodings.find((name) => ctx.acceptsEncodings(name) === name) ?? null;
  ctx.status = 200;
  ctx.etag = file.etag;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = file.extension;
  if (encoding !== null) ctx.set('Content-Encoding', encoding);
  ctx.body = await file.read(encoding);
}
