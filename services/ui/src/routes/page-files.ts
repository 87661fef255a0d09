import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { StartError } from '@parley/shared/contracts';

export interface PageFile {
  /** With a dot, as Koa's type setter takes it. */
  readonly extension: string;
  readonly etag: string;
  /** Whether the name holds a hash of the content, so that it can be cached for good. */
  readonly immutable: boolean;
  /** Forms that are there beside the plain one, the smallest first. */
  readonly encodings: readonly PageEncoding[];
  /** @throws what the file system says, when the page was built anew while this process ran. */
  read(encoding: PageEncoding | null): Promise<Buffer>;
}

type PageEncoding = 'br' | 'gzip';
const SUFFIXES: Readonly<Record<PageEncoding, string>> = { br: '.br', gzip: '.gz' };

export interface PageFiles {
  /** Files by the path of their address: `/assets/index-abc.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** What every page path answers. */
  readonly index: PageFile;
}

const API_PORT_MARK = '%PARLEY_API_PORT%';

const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/**
 * Lists the built page: a request names a key of a map and never a path on disk.
 * @param apiPort null when the API is at the page's own origin.
 * @throws StartError when the page is not built.
 */
export function readPageFiles(folder: string, apiPort: number | null): PageFiles {
  const indexPath = path.join(folder, 'index.html');
  if (!existsSync(indexPath))
    throw new StartError(`The page is not built (${indexPath} is missing). Run: npm run build:page -w services/ui`);

  const html = Buffer.from(readFileSync(indexPath, 'utf8').replaceAll(API_PORT_MARK, String(apiPort ?? '')));
  // Made here, since it names the port. Brotli would take megabytes to save a hundred bytes of it.
  const zipped = gzipSync(html);
  const index: PageFile = {
    extension: '.html',
    etag: etagOf(html),
    immutable: false,
    encodings: ['gzip'],
    read: (encoding) => Promise.resolve(encoding === null ? html : zipped),
  };

  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (name === 'index.html' || /\.(br|gz)$/.test(name) || !path.extname(name)) continue;
    const address = `/${name.split(path.sep).join('/')}`;
    files.set(address, {
      extension: path.extname(name),
      etag: etagOf(readFileSync(file)),
      immutable: address.startsWith('/assets/'),
      encodings: (['br', 'gzip'] as const).filter((encoding) => existsSync(file + SUFFIXES[encoding])),
      read: (encoding) => readFile(encoding === null ? file : file + SUFFIXES[encoding]),
    });
  }
  return { files, index };
}
