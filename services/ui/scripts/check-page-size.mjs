/**
 * The budget of the page, in kB (1000 bytes): script after gzip, for the first page, for all pages together, and for the editor
 * of the workbench, which only whoever writes a pack fetches (docs/decisions, 0036); all typefaces.
 * As a program: exit 1 when dist/page is over it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const FIRST_PAGE_KB = 150;
const ALL_PAGES_KB = 250;
const EDITOR_KB = 140;
/** The chunk that the workbench fetches when a file is opened: named by its module. */
const EDITOR = /\byaml-editor-[\w-]+\.js$/;
const TYPEFACES_KB = 90;

const gzipKb = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1000;

export function checkPageSize(folder) {
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'));
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const named = scripts.filter((name) => html.includes(path.basename(name)));
  const sumOf = (names) => names.reduce((sum, name) => sum + gzipKb(path.join(folder, name)), 0);
  const first = sumOf(named);
  const editor = sumOf(scripts.filter((name) => EDITOR.test(name)));
  const all = sumOf(scripts.filter((name) => !EDITOR.test(name)));
  console.error(
    `page: ${first.toFixed(1)} kB of script for the first page (at most ${FIRST_PAGE_KB}), ` +
      `${all.toFixed(1)} kB for all pages (at most ${ALL_PAGES_KB}), ${editor.toFixed(1)} kB for the editor (at most ${EDITOR_KB}), gzip`,
  );
  const typefaces = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.woff2'))
    .reduce((sum, name) => sum + statSync(path.join(folder, name)).size / 1000, 0);
  console.error(`page: ${typefaces.toFixed(1)} kB of typefaces (at most ${TYPEFACES_KB})`);
  if (typefaces === 0 || typefaces > TYPEFACES_KB) {
    console.error('page: over its budget of typefaces');
    process.exitCode = 1;
  }
  if (named.some((name) => EDITOR.test(name))) {
    console.error('page: the editor is fetched with the first page');
    process.exitCode = 1;
  }
  if (named.length === 0 || editor === 0 || first > FIRST_PAGE_KB || all > ALL_PAGES_KB || editor > EDITOR_KB) {
    console.error('page: over its budget of script');
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  checkPageSize(fileURLToPath(new URL('../dist/page', import.meta.url)));
