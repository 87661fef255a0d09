const { existsSync, readdirSync } = require('node:fs');
const path = require('node:path');
const ts = require('typescript');
const { TEST_SUPPORT } = require('../set/test-support.cjs');

const SKIPPED = new Set(['node_modules', 'dist']);

/** @param {string} config @returns {import('typescript').ParsedCommandLine} */
function readConfig(config) {
  const parsed = ts.getParsedCommandLineOfConfigFile(config, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (parsed === undefined) throw new Error(`${config} cannot be read`);
  return parsed;
}

/** A project and all that it refers to. @param {string} config @returns {Map<string, string[]>} their files by project */
function projectsFrom(config) {
  const found = new Map();
  const visit = (/** @type {string} */ file) => {
    if (found.has(file)) return;
    const { fileNames, projectReferences = [] } = readConfig(file);
    found.set(file, fileNames);
    for (const reference of projectReferences) visit(path.resolve(ts.resolveProjectReferencePath(reference)));
  };
  visit(config);
  return found;
}

/** @param {string} folder @returns {string[]} */
function configsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : configsIn(place);
    return /^tsconfig.*\.json$/.test(entry.name) ? [place] : [];
  });
}

/**
 * The build (tsconfig.json) compiles no test and no fixture, so that no dist of it can hold one; and every project is in it or
 * in the list of those whose types are checked (tsconfig.test.json).
 * @param {string} root
 * @returns {string[]}
 */
function findBuildFaults(root) {
  const inProject = (/** @type {string} */ file) => path.relative(root, file).replaceAll('\\', '/');
  const built = projectsFrom(path.join(root, 'tsconfig.json'));
  const checked = projectsFrom(path.join(root, 'tsconfig.test.json'));
  const compiled = [...built].flatMap(([config, files]) =>
    files
      .map(inProject)
      .filter((file) => TEST_SUPPORT.test(file))
      .map((file) => `${inProject(config)} compiles ${file}: exclude it there, and include it in a tsconfig.test.json`),
  );
  const unchecked = ['shared', 'services', 'scripts', 'test']
    .flatMap((folder) => configsIn(path.join(root, folder)))
    .filter((config) => !built.has(config) && !checked.has(config))
    .map((config) => `${inProject(config)} is checked by nothing: name it in tsconfig.test.json`);
  return [...compiled, ...unchecked];
}

module.exports = { findBuildFaults };
