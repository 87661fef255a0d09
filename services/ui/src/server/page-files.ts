import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { StartError } from '@parley/shared/contracts';

export interface PageFile {
  /** With a dot, as Koa's type setter takes it. */
  readonly extension: string;
  readonly etag: string;
  /** Whether the name holds a hash of the content, so that it can be cached for good. */
  readonly immutable: boolean;
  readonly identity: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface PageFiles {
  /** Files by the path of their address: `/assets/index-abc.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** What every page path answers. */
  readonly index: PageFile;
}

const API_PORT_MARK = '%PARLEY_API_PORT%';

const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/**
 * Reads the built page into memory (less than a megabyte): a request then names a key of a map and never a path on disk.
 * @throws StartError when the page is not built.
 */
export function readPageFiles(folder: string, apiPort: number): PageFiles {
  const indexPath = path.join(folder, 'index.html');
  if (!existsSync(indexPath))
    throw new StartError(`The page is not built (${indexPath} is missing). Run: npm run build:page -w services/ui`);

  const html = Buffer.from(readFileSync(indexPath, 'utf8').replaceAll(API_PORT_MARK, String(apiPort)));
  const index: PageFile = {
    extension: '.html',
    etag: etagOf(html),
    immutable: false,
    identity: html,
    br: brotliCompressSync(html),
    gzip: gzipSync(html),
  };

  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (name === 'index.html' || /\.(br|gz)$/.test(name) || !path.extname(name)) continue;
    const identity = readFileSync(file);
    const variant = (suffix: string): Buffer | null => (existsSync(file + suffix) ? readFileSync(file + suffix) : null);
    const address = `/${name.split(path.sep).join('/')}`;
    files.set(address, {
      extension: path.extname(name),
      etag: etagOf(identity),
      immutable: address.startsWith('/assets/'),
      identity,
      br: variant('.br'),
      gzip: variant('.gz'),
    });
  }
  return { files, index };
}
