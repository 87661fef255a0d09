const { readdirSync } = require('node:fs');
const path = require('node:path');

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.pm2', 'data', 'coverage']);
const VAGUE = /^(utils?|helpers?|lib|libs|common|misc)(\.|$)/;

/**
 * Folders and files are named for what they are about: none is called utils, helpers, lib or common, and sources are
 * kebab-case.
 * @param {string} root
 * @returns {string[]}
 */
function findNameFaults(root) {
  /** @type {string[]} */
  const faults = [];
  const visit = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      if (SKIPPED.has(entry.name)) continue;
      const place = path.join(folder, entry.name);
      if (VAGUE.test(entry.name)) faults.push(`${place}: name it for what it is about`);
      if (entry.isDirectory()) visit(place);
      else if (/\.(ts|tsx|cjs|mjs)$/.test(entry.name) && !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/.test(entry.name))
        faults.push(`${place}: source files are kebab-case`);
    }
  };
  for (const folder of ['shared', 'services', 'scripts', 'test', 'packs']) visit(folder);
  return faults;
}

module.exports = { findNameFaults };
