const { readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * The lockfile names no registry: it installs from whichever one the user has configured.
 * @param {string} root
 * @returns {string[]}
 */
function findLockfileFaults(root) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([, entry]) => /^https?:/.test(entry.resolved ?? ''))
    .map(([place]) => `package-lock.json: ${place} names a host; install with the project's .npmrc`);
}

module.exports = { findLockfileFaults };
