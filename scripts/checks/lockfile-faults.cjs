const { readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * The lockfile names no registry: it installs from whichever one the user has configured. And it holds the packages of
 * every platform: a registry that lacks some of them makes npm leave them out, and `npm ci` then refuses the lockfile.
 * @param {string} root
 * @returns {string[]}
 */
function findLockfileFaults(root) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const faults = [];
  for (const [place, entry] of Object.entries(packages)) {
    if (/^https?:/.test(entry.resolved ?? ''))
      faults.push(`package-lock.json: ${place} names a host; install with the project's .npmrc`);
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      if (!(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages))
        faults.push(`package-lock.json: ${place} needs ${name} on some platform; take a version that has it`);
  }
  return faults;
}

module.exports = { findLockfileFaults };
