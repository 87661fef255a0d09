const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** The project's, and that of the model server, which is no workspace. */
const LOCKFILES = ['package-lock.json', 'services/model-server/package-lock.json'];

/**
 * A lockfile names no registry: it installs from whichever one the user has configured. And it holds the packages of
 * every platform: a registry that lacks some of them makes npm leave them out, and `npm ci` then refuses the lockfile.
 * @param {string} root
 * @returns {string[]}
 */
function findLockfileFaults(root) {
  return LOCKFILES.filter((file) => existsSync(path.join(root, file))).flatMap((file) => faultsOf(root, file));
}

/** @param {string} root @param {string} file @returns {string[]} */
function faultsOf(root, file) {
  const { packages } = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  /** @type {string[]} */
  const faults = [];
  for (const [place, entry] of Object.entries(packages)) {
    if (/^https?:/.test(entry.resolved ?? ''))
      faults.push(`${file}: ${place} names a host; install with the project's .npmrc`);
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      if (!(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages))
        faults.push(`${file}: ${place} needs ${name} on some platform; take a version that has it`);
  }
  return faults;
}

module.exports = { findLockfileFaults };
