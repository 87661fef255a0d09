/**
 * Where the data lies, and in which file of it the database. Plain JavaScript, since `npm start` and `npm run doctor` need it
 * before anything is built; the processes ask here, too.
 */
const { statSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { fileURLToPath } = require('node:url');

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/** @param {string | undefined} value @returns {string | null} only an absolute path counts, as the XDG specification has it */
const absolute = (value) => (value !== undefined && path.isAbsolute(value.trim()) ? value.trim() : null);

/** @param {string} folder */
const isFolder = (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

/** @param {Environment} environment @returns {string} */
function platformFolder(environment) {
  const home = absolute(environment['HOME']) ?? os.homedir();
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Parley');
  if (process.platform === 'win32')
    return path.join(absolute(environment['LOCALAPPDATA']) ?? path.join(home, 'AppData', 'Local'), 'Parley');
  return path.join(absolute(environment['XDG_DATA_HOME']) ?? path.join(home, '.local', 'share'), 'parley');
}

/**
 * @param {Environment} environment
 * @param {string} root folder of the checkout
 * @returns {{ folder: string, from: 'SIM_DATA_DIR' | 'checkout' | 'platform' }} an absolute path. `checkout`: no variable
 *   names one, and a folder `data` is in the checkout, where earlier versions kept everything
 */
function dataFolderOf(environment, root) {
  const given = environment['SIM_DATA_DIR']?.trim();
  if (given !== undefined && given !== '') return { folder: path.resolve(root, given), from: 'SIM_DATA_DIR' };
  const inCheckout = path.resolve(root, 'data');
  if (isFolder(inCheckout)) return { folder: inCheckout, from: 'checkout' };
  return { folder: platformFolder(environment), from: 'platform' };
}

/**
 * The file of the database.
 * @param {string} dataDir
 * @param {string | null | undefined} url what SIM_DATABASE_URL says: `sqlite:<path>`, `file:…` or a path; empty for the usual one
 * @returns {{ file: string } | { refusal: string }} an absolute path, or the sentence for a person
 */
function databaseFileOf(dataDir, url) {
  if (url === undefined || url === null || url.trim() === '') return { file: path.resolve(dataDir, 'parley.sqlite') };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'file' && url.startsWith('file://')) return { file: fileURLToPath(url) };
  if (scheme !== undefined && scheme !== 'file' && scheme !== 'sqlite')
    return {
      refusal: `SIM_DATABASE_URL begins with ${scheme}: and this version keeps its data in SQLite only: leave it out, or use sqlite:<path>.`,
    };
  const place = scheme === undefined ? url : url.slice(scheme.length + 1).replace(/^\/\//, '');
  return { file: path.isAbsolute(place) ? place : path.join(path.resolve(dataDir), place) };
}

module.exports = { dataFolderOf, databaseFileOf };
