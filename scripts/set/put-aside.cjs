const { existsSync, mkdirSync, renameSync } = require('node:fs');
const path = require('node:path');
const { databaseAddressOf } = require('../../shared/data-folder/index.cjs');
const { UserError } = require('./user-error.cjs');

/**
 * The file that would be moved.
 * @param {import('./project.cjs').Project} project
 * @returns {string}
 * @throws {UserError} when the database is no file
 */
function fileToPutAside(project) {
  const place = databaseAddressOf(project.dataDir, project.environment['SIM_DATABASE_URL']);
  if ('refusal' in place) throw new UserError(place.refusal);
  if (place.system === 'postgres')
    throw new UserError(
      `${place.label} is kept by PostgreSQL, and nothing was touched: to begin anew make an empty database with createdb and name it in SIM_DATABASE_URL.`,
    );
  return place.file;
}

/**
 * Moves the database, with its log and the mark that there is one, into a dated folder beside it. Nothing may have it open.
 * @param {import('./project.cjs').Project} project
 * @param {Date} [now]
 * @returns {string | null} the folder; null when there was nothing to move
 * @throws {UserError}
 */
function putDatabaseAside(project, now = new Date()) {
  const database = fileToPutAside(project);
  const marks = ['database.json', 'storage-findings.json'].map((name) => path.join(project.dataDir, name));
  const files = [database, ...['-wal', '-shm', '-journal'].map((end) => database + end), ...marks].filter(existsSync);
  if (files.length === 0) return null;
  const folder = path.join(path.dirname(database), `replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const file of files) renameSync(file, path.join(folder, path.basename(file)));
  return folder;
}

module.exports = { fileToPutAside, putDatabaseAside };
