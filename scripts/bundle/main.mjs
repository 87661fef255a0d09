/**
 * Makes one file of each process out of its sources: services/<name>/dist/service.cjs, which PM2 runs. The compiled
 * modules (dist/main.js) stay what tests run; both do the same. Needs the compiled contracts.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { leanModules } from './lean-modules.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LAUNCHER = path.join(ROOT, 'scripts/bundle/launch.cjs');
const require = createRequire(import.meta.url);
const run = promisify(execFile);
const { nodeArguments } = require('./node-arguments.cjs');
const { ROUTES } = require('../../shared/dist/contracts/index.js');
const { buildAsyncApi, buildOpenApi, renderDocsPage } = require('../../shared/dist/documents/index.js');

const SHARED = ['contracts', 'engine', 'store', 'service', 'client'];

/**
 * Loaded from node_modules when they are needed: the driver is machine code; uploads, connections to model servers and
 * zip files come late or never.
 */
const EXTERNAL = [
  'better-sqlite3',
  'koa-body',
  'undici',
  'bufferutil',
  'utf-8-validate',
  'sqlite3',
  'pg',
  'pg-query-stream',
];

const NOT_OF_THE_PROCESS = /[\\/](page|testing|fixtures)[\\/]/;

/** @param {string} folder @returns {string[]} */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.(test|d)\.ts$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !NOT_OF_THE_PROCESS.test(file));

/**
 * Rows of the route table that a process answers, passes on, or calls by name, and what it has to know of each.
 * @param {string} name
 */
function rowsOf(name) {
  const service = name.replaceAll('-', '_');
  const own = filesBelow(path.join(ROOT, 'services', name, 'src')).map((file) => readFileSync(file, 'utf8'));
  const calls = own.some((text) => text.includes('@parley/shared/client'));
  const client = calls ? filesBelow(path.join(ROOT, 'shared/client')).map((file) => readFileSync(file, 'utf8')) : [];
  const text = [...own, ...client].join('\n');
  const isNamed = (/** @type {string} */ operation) =>
    text.includes(`'${operation}'`) || text.includes(`ROUTES.${operation}`);
  return new Map(
    Object.values(ROUTES).flatMap((row) => {
      const use = { answers: row.service === service, calls: isNamed(row.operation) };
      return use.answers || use.calls || row.via === service ? [[row.operation, use]] : [];
    }),
  );
}

/** @param {string} dist folder of the process */
function writeDocuments(dist) {
  const folder = path.join(dist, 'documents');
  mkdirSync(folder, { recursive: true });
  const write = (/** @type {string} */ file, /** @type {unknown} */ value) =>
    writeFileSync(path.join(folder, file), JSON.stringify(value));
  write('openapi.json', buildOpenApi());
  write('asyncapi.json', buildAsyncApi());
  write('docs-page.json', renderDocsPage());
}

/**
 * ASCII only: one character beyond Latin-1 makes V8 keep two bytes for each of the whole source. And no dynamic import of a
 * package: `require` does the same without the second module system.
 * @param {string} code
 */
const plain = (code) =>
  code
    .replace(/\bimport\((`[^`$]+`|"[^"]+"|'[^']+')\)/g, 'Promise.resolve().then(() => require($1))')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** @param {string} name of the folder in services/ */
async function bundle(name) {
  const build = await rolldown({
    input: path.join(ROOT, 'services', name, 'src/main.ts'),
    platform: 'node',
    cwd: ROOT,
    tsconfig: false,
    external: EXTERNAL,
    plugins: [leanModules(ROOT, rowsOf(name))],
    resolve: {
      alias: Object.fromEntries(
        SHARED.map((folder) => [`@parley/shared/${folder}`, path.join(ROOT, 'shared', folder, 'index.ts')]),
      ),
    },
    treeshake: {
      moduleSideEffects: [
        { test: /[\\/]node_modules[\\/]zod[\\/]/, sideEffects: false },
        { test: /[\\/]shared[\\/](contracts|engine|store|service|client)[\\/]/, sideEffects: false },
      ],
    },
    onLog(level, log, report) {
      // depd makes its wrappers with eval.
      if (log.code !== 'EVAL') report(level, log);
    },
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    comments: false,
    // Functions and classes keep their names: a stack in a log must say where it was.
    minify: { mangle: { toplevel: false, keepNames: true }, compress: true, codegen: { removeWhitespace: true } },
  });
  await build.close();
  const dist = path.join(ROOT, 'services', name, 'dist');
  // The compiled form of an older bundle must never meet this one.
  rmSync(path.join(dist, 'service.compiled'), { force: true });
  writeFileSync(path.join(dist, 'service.cjs'), plain(output[0].code));
  if (output[0].moduleIds.includes('\0documents')) writeDocuments(dist);
  await run(process.execPath, [...nodeArguments(name), LAUNCHER, name, '--compile']);
}

const names = readdirSync(path.join(ROOT, 'services'));
await Promise.all(names.map(bundle));
