import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '@parley/shared/contracts';
import type { Answer, RequestContext } from '@parley/shared/service';
import { assetVersion } from '../catalogue/asset-url';
import type { Catalogue } from '../catalogue/catalogue';
import type { PackFolders } from '../context';

/** A picture of a stranger may draw shapes and nothing else, also when it is opened as a page. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

export interface AssetContext {
  readonly catalogue: Pick<Catalogue, 'findPack'>;
  readonly folders: Pick<PackFolders, 'builtIn' | 'installed'>;
}

/**
 * Answers an asset of an installed pack: only files that the import has seen, under the type that their bytes showed.
 * @throws ServiceError PACK_NOT_FOUND or NOT_FOUND.
 */
export async function sendAsset(
  context: AssetContext,
  packId: string,
  wanted: string,
  request: RequestContext,
): Promise<Answer> {
  const pack = await context.catalogue.findPack(packId);
  // The list is the containment: a name that is not in it, however it is written, is never made a path.
  const asset = [`assets/${wanted}`, wanted]
    .map((name) => pack.inventory.assets.find((one) => one.path === name))
    .find((one) => one !== undefined);
  const missing = (): ServiceError => new ServiceError('NOT_FOUND', 'The pack has no such file.');
  if (asset === undefined) throw missing();
  const etag = `"${asset.sha256.slice(0, 32)}"`;
  const named =
    new URL(request.raw.url ?? '/', 'http://localhost').searchParams.get('v') === assetVersion(asset.sha256);
  const headers = {
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': named ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
  };
  if (request.raw.headers['if-none-match'] === etag) return { status: 304, headers };
  const root = pack.built_in ? context.folders.builtIn : context.folders.installed;
  const file = await open(
    path.join(root, pack.folder, asset.path),
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0),
  ).catch(() => null);
  if (file === null) throw missing();
  const full = {
    ...headers,
    'Content-Type': asset.media_type === 'text/plain' ? 'text/plain; charset=utf-8' : asset.media_type,
    'Content-Length': String(asset.size),
    ...(/^(image|audio|text)\//.test(asset.media_type) ? {} : { 'Content-Disposition': 'attachment' }),
  };
  // Koa answers HEAD without the bytes and closes the file.
  return {
    headers: full,
    content: asset.size === 0 ? await file.close().then(() => '') : file.createReadStream({ end: asset.size - 1 }),
  };
}
