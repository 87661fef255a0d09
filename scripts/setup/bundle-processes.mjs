/**
 * Bundles each process out of its sources into services/<name>/dist/service.cjs: what npm start, PM2 and the whole-set suites
 * run. A plain bundle: no plugin, nothing rewritten. Why not the compiled modules: docs/decisions, 0019.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Beside the entry, which lies in dist/ so that `__dirname` finds what it finds from the compiled modules. */
const PACKAGES = 'packages';
/**
 * What `@parley/shared` exports, by its sources: what is bundled out of compiled modules is there a second time, and drags in whole
 * packages where sources take what they use.
 */
const SHARED = Object.entries(
  JSON.parse(readFileSync(path.join(ROOT, 'shared', 'package.json'), 'utf8')).exports,
).flatMap(([name, { default: file }]) => {
  const compiled = /^\.\/dist\/(.*)\.js$/.exec(file)?.[1];
  return compiled === undefined
    ? []
    : [[`@parley/shared/${name.slice(2)}`, path.join(ROOT, 'shared', `${compiled}.ts`)]];
});

/**
 * Machine code, which stays where it was compiled; packages that a process loads late or never; drivers and speed-ups that
 * packages look for and we do not install.
 */
const NOT_BUNDLED = [
  'better-sqlite3',
  ...['koa-body', 'undici', 'ioredis'],
  ...['mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg', 'pg-native', 'pg-query-stream', 'sqlite3', 'tedious'],
  ...['bufferutil', 'utf-8-validate'],
];

/**
 * Every package in a file of its own: Node reads and compiles one small file after the other, which leaves less behind than
 * one large file. Own sources stay together.
 * @param {string} file
 */
function packageOf(file) {
  const [, ...inPackages] = file.split(/[\\/]node_modules[\\/]/);
  const name = /^(?:@[^\\/]+[\\/])?[^\\/]+/.exec(inPackages.at(-1) ?? '')?.[0];
  return name?.replace(/^@/, '').replace(/[\\/]/, '-') ?? null;
}

/** @param {string} file */
const isOwn = (file) => path.isAbsolute(file) && packageOf(file) === null;

/** @param {string} name of the folder in services/ */
async function bundle(name) {
  const folder = path.join(ROOT, 'services', name, 'dist');
  const build = await rolldown({
    input: path.join(ROOT, 'services', name, 'src', 'main.ts'),
    cwd: ROOT,
    platform: 'node',
    tsconfig: false,
    external: NOT_BUNDLED,
    resolve: {
      alias: Object.fromEntries(SHARED),
      // What is loaded late is named as it is called once compiled.
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    checks: { eval: false }, // depd makes its wrappers with eval.
  });
  rmSync(path.join(folder, PACKAGES), { recursive: true, force: true });
  if (existsSync(folder))
    for (const file of readdirSync(folder)) if (file.endsWith('.cjs')) rmSync(path.join(folder, file));
  await build.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: 'service.cjs',
    // What is loaded late lies beside the entry, so that `__dirname` is the same there.
    chunkFileNames: ({ moduleIds }) => (moduleIds.some(isOwn) ? '[name].cjs' : `${PACKAGES}/[name].cjs`),
    codeSplitting: { groups: [{ debugName: 'packages', name: packageOf }] },
    comments: false,
    // Short names inside of functions, which stay on their lines and keep their own names: a stack in a log says where it was.
    minify: { mangle: { keepNames: true }, compress: true, codegen: false },
  });
  await build.close();
}

await Promise.all(readdirSync(path.join(ROOT, 'services')).map(bundle));
