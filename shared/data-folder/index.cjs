/**
 * Where the data lies, and where the database. Plain JavaScript, since `npm start` and `npm run doctor` need it
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
 * @typedef {{ system: 'sqlite', file: string } | { system: 'postgres', url: string, label: string } | { refusal: string }}
 *   DatabaseAddress `file` is an absolute path, `label` names the database to a person and holds no password, `refusal` is the
 *   sentence for a person
 */

const POSTGRES_EXAMPLE = 'postgres://<user>:<password>@<host>:5432/<database>';

/** @param {string} url @returns {DatabaseAddress} */
function postgresAddressOf(url) {
  const refusal = `SIM_DATABASE_URL is no address of a PostgreSQL database: write it as ${POSTGRES_EXAMPLE}.`;
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url)) return { refusal };
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  // A socket is named by its folder.
  const place = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  try {
    const [user, database] = [decodeURIComponent(username), decodeURIComponent(pathname.slice(1))];
    if (database === '') return { refusal };
    const label = `postgres://${user === '' ? '' : `${user}@`}${place}${port === '' ? '' : `:${port}`}/${database}`;
    return { system: 'postgres', url, label };
  } catch {
    return { refusal };
  }
}

/** @param {string} url @returns {DatabaseAddress} */
function fileAddressOf(url) {
  try {
    return { system: 'sqlite', file: fileURLToPath(url) };
  } catch {
    // Two slashes alone make the first folder the name of a machine.
    return {
      refusal:
        'SIM_DATABASE_URL is no address of a file on this machine: write it as file:///<absolute path>, or as the path alone.',
    };
  }
}

/**
 * Where the database is.
 * @param {string} dataDir
 * @param {string | null | undefined} url what SIM_DATABASE_URL says: `postgres://…`, `sqlite:<path>`, `file:…` or a path; empty
 *   for the usual file
 * @returns {DatabaseAddress}
 */
function databaseAddressOf(dataDir, url) {
  const given = url?.trim() ?? '';
  if (given === '') return { system: 'sqlite', file: path.resolve(dataDir, 'parley.sqlite') };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(given)?.[1]?.toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql') return postgresAddressOf(given);
  if (scheme === 'file' && given.startsWith('file://')) return fileAddressOf(given);
  if (scheme !== undefined && scheme !== 'file' && scheme !== 'sqlite')
    return {
      refusal: `SIM_DATABASE_URL begins with ${scheme}: and Parley keeps its data in SQLite or in PostgreSQL: leave it out, or use sqlite:<path> or ${POSTGRES_EXAMPLE}.`,
    };
  const place = scheme === undefined ? given : given.slice(scheme.length + 1).replace(/^\/\//, '');
  return { system: 'sqlite', file: path.isAbsolute(place) ? place : path.join(path.resolve(dataDir), place) };
}

module.exports = { dataFolderOf, databaseAddressOf };
