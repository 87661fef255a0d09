import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import type { PackContext } from '../context';
import { checkedPackOf, type CheckedPack } from '../import/installing/checked-pack';
import { packRecordOf } from '../import/installing/pack-record-of';
import { readTree } from '../import/validating/read-tree';
import { restoreReplaced } from '../import/installing/replaced-packs';
import { checkInChild } from '../import/installing/stage-pack';
import { treeHash } from '../import/validating/tree-hash';
import {
  listPackIds,
  listPackRecords,
  removePack,
  savePack,
  type PackRecord,
  type StorableScenario,
} from '../pack-records';

async function packFoldersIn(root: string): Promise<string[]> {
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, 'manifest.yaml')))
    .map((entry) => entry.name)
    .sort();
}

/** A folder of packs, and the row that was made of it before. */
interface PackFolder {
  readonly folder: string;
  readonly location: string;
  readonly builtIn: boolean;
  readonly before: PackRecord | undefined;
}

/** How long the start waits for one folder that is not as it was. */
const CHECK_TIMEOUT_MS = 60_000;

/** What comes with Parley is checked here; what a stranger wrote, in a process of its own. */
async function checkFolder(context: PackContext, { builtIn, location }: PackFolder): Promise<CheckedPack> {
  if (builtIn) {
    // Most starts find nothing changed, and need none of it.
    const { validatePack } = await import('../import/validating/validate-pack.js');
    return checkedPackOf(await validatePack(location));
  }
  return context.queue.run(async (signal) => {
    const base = path.join(context.folders.staging, `check-${randomUUID()}`);
    await mkdir(base, { recursive: true, mode: 0o700 });
    try {
      const scratch = { folder: base, result: path.join(base, 'result') };
      const packChild = { timeoutMs: CHECK_TIMEOUT_MS, ...context.packChild };
      return await checkInChild({ packChild }, { kind: 'staged', path: location }, scratch, { signal });
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });
}

/** null: the folder is as it was when its row was made. */
async function checkIfChanged(context: PackContext, found: PackFolder): Promise<CheckedPack | null> {
  const { files } = await readTree(found.location);
  return found.before?.content_hash === treeHash(files) ? null : checkFolder(context, found);
}

/** What becomes the rows of one folder. */
interface TakenIn {
  readonly record: PackRecord;
  readonly scenarios: readonly StorableScenario[];
  readonly isNew: boolean;
}

/** @returns null when the folder holds no valid pack, or one that may not take the place of a known one. */
function takeIn(
  context: PackContext,
  { folder, builtIn, before }: PackFolder,
  checked: CheckedPack,
  known: readonly PackRecord[],
  now: string,
): TakenIn | null {
  const { facts, findings, scenarios, pack_id: id } = checked;
  if (facts === null || id === null) {
    const errors = findings.filter((one) => one.severity === 'error');
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
  return {
    record: packRecordOf(facts, findings, { builtIn, folder, installedAt: before?.installed_at ?? now }),
    scenarios,
    isNew: before === undefined,
  };
}

/** Brings the rows of folders up to date, all at once: who reads meanwhile sees what was there before, or everything. */
async function saveFolders(context: PackContext, taken: readonly TakenIn[], now: string): Promise<void> {
  if (taken.length === 0) return;
  await context.database.write(async (transaction) => {
    for (const { record, scenarios } of taken) await savePack(transaction, record, scenarios, now);
  });
  for (const { record, scenarios, isNew } of taken)
    context.logger.info({ pack_id: record.pack_id, count: scenarios.length }, isNew ? 'pack taken in' : 'pack changed');
}

/**
 * Makes the tables say what lies on disk: built-in packs, then installed ones. A folder that did not change costs one
 * reading of its files. Rows whose folder is gone are taken out; what an interrupted import left behind is deleted.
 */
export async function syncPacks(context: PackContext): Promise<void> {
  const { folders, database } = context;
  await restoreReplaced(folders.staging, folders.installed);
  for (const leftover of [folders.staging, path.join(context.config.base.data_dir, 'uploads')])
    await rm(leftover, { recursive: true, force: true });
  await mkdir(folders.installed, { recursive: true, mode: 0o700 });
  if (!existsSync(folders.builtIn)) context.logger.warn('the folder of built-in packs is missing');
  const present = new Set<string>();
  for (const [root, builtIn] of [
    [folders.builtIn, true],
    [folders.installed, false],
  ] as const) {
    const known = await listPackRecords(database);
    const found = (await packFoldersIn(root)).map((folder): PackFolder => {
      const before = known.find((one) => one.built_in === builtIn && one.folder === folder);
      return { folder, location: path.join(root, folder), builtIn, before };
    });
    const checks = await Promise.all(found.map((one) => checkIfChanged(context, one)));
    const now = context.now().toISOString();
    const taken: TakenIn[] = [];
    // One after the other, in the order of their names: which of two packs with one id is taken in is no accident.
    for (const [index, one] of found.entries()) {
      const checked = checks[index] ?? null;
      const saved = checked === null ? null : takeIn(context, one, checked, known, now);
      if (saved !== null) taken.push(saved);
      const id = checked === null ? one.before?.pack_id : saved?.record.pack_id;
      if (id !== undefined) present.add(id);
    }
    await saveFolders(context, taken, now);
  }
  for (const id of await listPackIds(database))
    if (!present.has(id)) {
      await database.write((transaction) => removePack(transaction, id));
      context.logger.warn({ pack_id: id }, 'pack is gone from disk and is taken out');
    }
}
