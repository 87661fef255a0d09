/**
 * Makes the typefaces, builds the page into dist/page, writes a brotli and a gzip copy beside every file that gains by it, and fails when the
 * scripts or the typefaces are over their budget.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { checkPageSize } from './check-page-size.mjs';
import { makeTypefaces } from './make-typefaces.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = path.join(root, 'dist/page');

// Whoever builds (a test runner, say): the page is always the one that users get.
// eslint-disable-next-line no-restricted-properties -- written for the bundler, not read
process.env.NODE_ENV = 'production';
await makeTypefaces();
await build({ configFile: path.join(root, 'vite.config.mjs'), logLevel: 'warn' });

for (const entry of readdirSync(output, { recursive: true, withFileTypes: true })) {
  // index.html gets the port of the API when it is served, and is compressed then.
  if (!entry.isFile() || !/\.(js|css|svg|webmanifest)$/.test(entry.name)) continue;
  const file = path.join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const gzip = gzipSync(bytes, { level: 9 });
  if (brotli.length < bytes.length) writeFileSync(`${file}.br`, brotli);
  if (gzip.length < bytes.length) writeFileSync(`${file}.gz`, gzip);
}

checkPageSize(output);
