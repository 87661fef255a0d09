/** Builds the processes (tsc -b, and a bundle of each) and the page (vite) when their sources have changed since the last build. */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TEST_SUPPORT } = require('../set/test-support.cjs');
const { UserError } = require('../set/user-error.cjs');
const { runWithProgress } = require('./run-with-progress.cjs');

/** @typedef {import('../set/project.cjs').Project} Project */

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'data']);

/**
 * Names, sizes and times of all files below some places, without what is there for tests.
 * @param {{ root: string }} project @param {string[]} places
 */
function fingerprintOf(project, places) {
  const hash = createHash('sha256');
  const visit = (/** @type {string} */ place) => {
    const info = statSync(place, { throwIfNoEntry: false });
    if (info === undefined) return;
    const inProject = path.relative(project.root, place).replaceAll('\\', '/');
    if (TEST_SUPPORT.test(info.isDirectory() ? `${inProject}/` : inProject)) return;
    if (!info.isDirectory()) {
      hash.update(`${inProject} ${info.size} ${info.mtimeMs}\n`);
      return;
    }
    for (const name of readdirSync(place).sort()) if (!SKIPPED.has(name)) visit(path.join(place, name));
  };
  for (const place of places) visit(path.join(project.root, place));
  return hash.digest('hex');
}

/** @typedef {{ name: string, title: string, places: string[], results: string[], words: string[] }} Build */

/** @param {Project} project @returns {Build[]} */
const builds = (project) => [
  {
    name: 'processes',
    title: 'Building the processes',
    places: ['shared', 'services', 'tsconfig.json', 'tsconfig.base.json', 'package-lock.json'],
    results: project.services.map((service) => path.join(path.dirname(service.script), 'main.js')),
    words: ['node_modules/typescript/bin/tsc', '-b'],
  },
  {
    name: 'bundles',
    title: 'Bundling the processes',
    places: ['shared', 'services', 'scripts/setup/bundle-processes.mjs', 'package-lock.json'],
    results: project.services.map((service) => service.script),
    words: ['scripts/setup/bundle-processes.mjs'],
  },
  {
    name: 'page',
    title: 'Building the page',
    places: ['services/ui', 'shared/contracts', 'package-lock.json'],
    results: [path.join(project.root, 'services/ui/dist/page/index.html')],
    words: ['services/ui/scripts/build-page.mjs'],
  },
];

const stampFile = (/** @type {Project} */ project, /** @type {string} */ name) =>
  path.join(project.root, 'node_modules', '.cache', 'parley', name);

/** What was built last; changes with every build. @param {Project} project */
function buildFingerprint(project) {
  return builds(project).map(({ name }) => {
    const stamp = stampFile(project, name);
    return existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  });
}

/**
 * @param {Project} project
 * @throws {UserError} with what the compiler said
 */
async function buildWhatIsStale(project) {
  for (const build of builds(project)) {
    const stamp = stampFile(project, build.name);
    const fingerprint = fingerprintOf(project, build.places);
    const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
    if (isCurrent && build.results.every((file) => existsSync(file))) continue;
    const { code, output } = await runWithProgress({
      title: build.title,
      command: process.execPath,
      words: build.words,
      cwd: project.root,
      environment: project.environment,
    });
    if (code !== 0) throw new UserError(`${build.title} failed:\n${output.trim()}`);
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, fingerprint);
  }
}

module.exports = { buildFingerprint, buildWhatIsStale, fingerprintOf };
