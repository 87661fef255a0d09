const { readFileSync } = require('node:fs');
const path = require('node:path');
const { ROOT } = require('../set/project.cjs');
const { UserError } = require('../set/user-error.cjs');

/** @returns {{ ok: boolean, needed: string }} whether this Node is at least what package.json asks for */
function nodeVersion() {
  const { engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const needed = String(engines.node).replace(/^>=/, '');
  const [major = 0, minor = 0] = needed.split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return { ok: ownMajor > major || (ownMajor === major && ownMinor >= minor), needed };
}

/** @throws {UserError} */
function checkNodeVersion() {
  const { ok, needed } = nodeVersion();
  if (!ok) throw new UserError(`Node.js ${needed} or newer is needed; this is ${process.versions.node}.`);
}

module.exports = { checkNodeVersion, nodeVersion };
