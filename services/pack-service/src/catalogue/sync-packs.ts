import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { transact } from '@parley/shared/store';
import type { PackContext } from '../context';
import { packRecordOf } from '../import/pack-record-of';
import { readTree } from '../import/read-tree';
import { treeHash, validatePack } from '../import/validate-pack';
import { listPackRecords, removePack, savePack, type PackRecord } from '../pack-records';

async function packFoldersIn(root: string): Promise<string[]> {
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, 'manifest.yaml')))
    .map((entry) => entry.name)
    .sort();
}

/** Brings the row of one folder up to date. @returns the pack's id, or null when the folder holds no valid pack. */
async function syncFolder(
  context: PackContext,
  root: string,
  folder: string,
  builtIn: boolean,
  known: readonly PackRecord[],
): Promise<string | null> {
  const location = path.join(root, folder);
  const before = known.find((one) => one.built_in === builtIn && one.folder === folder);
  const { files } = await readTree(location);
  if (before !== undefined && before.content_hash === treeHash(files)) return before.pack_id;
  const validation = await validatePack(location);
  const id = validation.pack.manifest?.content.pack_id ?? null;
  if (!validation.valid || id === null) {
    const errors = validation.findings.filter((one) => one.severity === 'error');
    context.logger.error(
      { pack_id: id, count: errors.length, rule: errors[0]?.rule },
      'pack is not valid and is left out',
    );
    return null;
  }
  const other = known.find((one) => one.pack_id === id && (one.built_in !== builtIn || one.folder !== folder));
  // A pack of the user cannot take the place of one that comes with Parley; the folder of an installed pack is its id.
  if (!builtIn && (other?.built_in === true || folder !== id)) {
    context.logger.error({ pack_id: id }, 'pack folder is left out: its id belongs to another pack or is not its name');
    return null;
  }
  const now = context.now().toISOString();
  const record = packRecordOf(validation, validation.findings, {
    builtIn,
    folder,
    installedAt: before?.installed_at ?? now,
  });
  await transact(context.database, (transaction) => savePack(transaction, record, validation.scenarios, now));
  context.logger.info(
    { pack_id: id, count: validation.scenarios.length },
    before === undefined ? 'pack taken in' : 'pack changed',
  );
  return id;
}

/**
 * Makes the tables say what lies on disk: built-in packs, then installed ones. A folder that did not change costs one
 * reading of its files. Rows whose folder is gone are taken out; what an interrupted import left behind is deleted.
 */
export async function syncPacks(context: PackContext): Promise<void> {
  const { folders, database } = context;
  for (const leftover of [folders.staging, path.join(context.config.base.data_dir, 'uploads')])
    await rm(leftover, { recursive: true, force: true });
  await mkdir(folders.installed, { recursive: true, mode: 0o700 });
  if (!existsSync(folders.builtIn)) context.logger.warn('the folder of built-in packs is missing');
  const present = new Set<string>();
  for (const [root, builtIn] of [
    [folders.builtIn, true],
    [folders.installed, false],
  ] as const)
    // prettier-ignore
    for (const folder of await packFoldersIn(root)) {
      const id = await syncFolder(context, root, folder, builtIn, await listPackRecords(database.knex));
      if (id !== null) present.add(id);
    }
  for (const record of await listPackRecords(database.knex))
    if (!present.has(record.pack_id)) {
      await transact(database, (transaction) => removePack(transaction, record.pack_id));
      context.logger.warn({ pack_id: record.pack_id }, 'pack is gone from disk and is taken out');
    }
}
