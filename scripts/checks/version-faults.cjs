const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * One version everywhere: shared/contracts/version.ts, every package.json, and the newest entry of the CHANGELOG.
 * @param {string} root
 * @returns {string[]}
 */
function findVersionFaults(root) {
  const source = readFileSync(path.join(root, 'shared', 'contracts', 'version.ts'), 'utf8');
  const version = /VERSION = '([^']+)'/.exec(source)?.[1];
  const packages = ['.', 'shared', ...readdirSync(path.join(root, 'services')).map((name) => `services/${name}`)];
  const faults = [];
  for (const folder of packages) {
    const file = path.join(root, folder, 'package.json');
    if (!existsSync(file)) continue;
    const own = JSON.parse(readFileSync(file, 'utf8'));
    if (own.version !== version) faults.push(`${folder}/package.json has version ${own.version}, not ${version}`);
    const shared = own.dependencies?.['@parley/shared'];
    if (shared !== undefined && shared !== version)
      faults.push(`${folder}/package.json asks for @parley/shared ${shared}, not ${version}`);
  }
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  if (!changelog.includes(`## ${version}`)) faults.push(`CHANGELOG.md has no entry for ${version}`);
  return faults;
}

module.exports = { findVersionFaults };
