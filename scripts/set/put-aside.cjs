const { existsSync, mkdirSync, renameSync } = require('node:fs');
const path = require('node:path');
const { databaseAddressOf } = require('../../shared/data-folder/index.cjs');
const { UserError } = require('./user-error.cjs');

/**
 * Moves the database, with its log and the mark that there is one, into a dated folder beside it. Nothing may have it open.
 * @param {import('./project.cjs').Project} project
 * @param {Date} [now]
 * @returns {string | null} the folder; null when there was nothing to move
 * @throws {UserError}
 */
function putDatabaseAside(project, now = new Date()) {
  const place = databaseAddressOf(project.dataDir, project.environment['SIM_DATABASE_URL']);
  if ('refusal' in place) throw new UserError(place.refusal);
  if (place.system === 'postgres')
    throw new UserError(
      `${place.label} is kept by PostgreSQL, and nothing there was touched: to begin anew make an empty database with createdb and name it in SIM_DATABASE_URL.`,
    );
  const marks = ['database.json', 'storage-findings.json'].map((name) => path.join(project.dataDir, name));
  const files = [place.file, ...['-wal', '-shm', '-journal'].map((end) => place.file + end), ...marks].filter(
    existsSync,
  );
  if (files.length === 0) return null;
  const folder = path.join(path.dirname(place.file), `replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const file of files) renameSync(file, path.join(folder, path.basename(file)));
  return folder;
}

module.exports = { putDatabaseAside };
