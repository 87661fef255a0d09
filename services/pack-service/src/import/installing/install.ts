import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type Finding, type Pack } from '@parley/shared/contracts';
import { giveBackPages } from '@parley/shared/store';
import { toPack } from '../../catalogue/catalogue';
import type { PackContext } from '../../context';
import {
  findPackRecord,
  forgetVersions,
  listPacksToForget,
  removePack,
  savePack,
  type PackRecord,
} from '../../pack-records';
import { packRecordOf } from './pack-record-of';
import { replacedFolder } from './replaced-packs';
import { withStagedPack, type PackSource, type StagedPack, type StagingWatch } from './stage-pack';

/**
 * The folder of a pack inside `packs`. Ids have a strict form already; that the result stays inside is checked all the
 * same (docs/interface.md, Import rules, 6).
 */
function installFolder(packsFolder: string, packId: string): string {
  const folder = path.resolve(packsFolder, packId);
  if (!/^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(packId) || path.dirname(folder) !== path.resolve(packsFolder))
    throw new ServiceError('PACK_INVALID', 'The pack cannot be installed under this id. Choose another pack_id.', {
      details: { findings: [] },
    });
  return folder;
}

/** Whether a version comes after another; both are three numbers (checked by the schema of the manifest). */
const isHigher = (version: string, than: string): boolean => version.localeCompare(than, 'en', { numeric: true }) > 0;

/**
 * Why a pack whose id is taken is not installed, and what to do. A folder without a row is not put aside by itself: it may
 * be a pack that a person put there, or has damaged and still needs.
 */
function alreadyInstalled(id: string, version: string, installed: PackRecord | null, folder: string): ServiceError {
  const details = { pack_id: id, version, installed_version: installed?.version ?? null };
  const refusal = (message: string, replaceable = false): ServiceError =>
    new ServiceError('PACK_ALREADY_INSTALLED', message, { details: { ...details, replaceable } });
  if (installed === null)
    return refusal(`Move the folder ${folder} away, then import the pack again: Parley does not know what is in it.`);
  if (installed.built_in)
    return refusal('A pack with this id comes with Parley. Give yours another pack_id in manifest.yaml.');
  if (isHigher(version, installed.version))
    return refusal(
      `Version ${installed.version} of this pack is installed already. Import it with replace=true to put ${version} in its place.`,
      true,
    );
  return refusal(
    `Version ${installed.version} of this pack is installed already. Raise version in manifest.yaml above it to replace it, or uninstall it first.`,
  );
}

/**
 * Moves a pack's folder into its place, synchronously: the last thing before the commit, so that a crash leaves the rows
 * undone or the pack whole. A whole folder without rows is taken in at the next start, and one that was set aside for a
 * replacement that never came is put back (`restoreReplaced`).
 * @returns what undoes it.
 */
function moveIntoPlace(staged: string, target: string, aside: string): () => void {
  const replaces = existsSync(target);
  if (replaces) renameSync(target, aside);
  try {
    renameSync(staged, target);
  } catch (error) {
    if (replaces) renameSync(aside, target);
    throw error;
  }
  return () => {
    renameSync(target, staged);
    if (replaces) renameSync(aside, target);
  };
}

/** Which installed version an import may take the place of; a pack that comes with Parley never. */
export type Replace = 'none' | 'lower' | 'any';

async function install(context: PackContext, staged: StagedPack, replace: Replace): Promise<Pack> {
  const { facts, findings, scenarios } = staged.checked;
  if (facts === null) throw new Error('only a valid pack is installed');
  const now = context.now().toISOString();
  const { pack_id: id, version } = facts.manifest;
  const target = installFolder(context.folders.installed, id);
  const aside = replacedFolder(context.folders.staging, id);
  const record = packRecordOf(facts, findings, { builtIn: false, folder: id, installedAt: now });
  await mkdir(context.folders.installed, { recursive: true, mode: 0o700 });
  const undo: (() => void)[] = [];
  try {
    await context.database.write(async (transaction) => {
      const before = await findPackRecord(transaction, id);
      const mayReplace =
        before?.built_in === false && (replace === 'any' || (replace === 'lower' && isHigher(version, before.version)));
      if ((before !== null || existsSync(target)) && !mayReplace) throw alreadyInstalled(id, version, before, target);
      await savePack(transaction, record, scenarios, now);
      undo.push(moveIntoPlace(staged.folder, target, aside));
    });
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
  return toPack(record, scenarios.length);
}

/**
 * Imports a pack, all or nothing. Where it takes the place of an installed one, versions of the scenarios stay for sessions
 * that began with them.
 * @throws ServiceError PACK_INVALID with all findings; PACK_ALREADY_INSTALLED; VALIDATION_ERROR for a path that is not there.
 */
export function importPack(
  context: PackContext,
  source: PackSource,
  watch: StagingWatch & { readonly installing?: () => void; readonly replace?: Replace } = {},
): Promise<{ pack: Pack; findings: Finding[] }> {
  const use = async (staged: StagedPack): Promise<{ pack: Pack; findings: Finding[] }> => {
    const findings = [...staged.checked.findings];
    if (!staged.checked.valid) {
      const errors = findings.filter((one) => one.severity === 'error').length;
      throw new ServiceError(
        'PACK_INVALID',
        `The pack has ${errors} ${errors === 1 ? 'error' : 'errors'}; nothing was installed. Mend what the findings name and import it again.`,
        {
          details: { findings },
        },
      );
    }
    watch.installing?.();
    const pack = await context.alone(() => install(context, staged, watch.replace ?? 'none'));
    context.logger.info({ pack_id: pack.pack_id, count: pack.scenario_count }, 'pack installed');
    return { pack, findings };
  };
  return withStagedPack(context, source, use, watch);
}

/** Validates without installing. What is installed already is no error here. Ends when the caller gives up. */
export function checkPack(
  context: PackContext,
  source: PackSource,
  watch: StagingWatch = {},
): Promise<{ valid: boolean; findings: Finding[] }> {
  const use = ({ checked }: StagedPack) => Promise.resolve({ valid: checked.valid, findings: [...checked.findings] });
  return withStagedPack(context, source, use, watch);
}

/**
 * Forgets the scenarios of uninstalled packs that no session began with, and gives their room back to the disk. What
 * cannot be done now is done after the next pack is uninstalled.
 */
async function tidyUp(context: PackContext, requestId: string): Promise<void> {
  const { database, logger } = context;
  try {
    let forgotten = 0;
    for (const packId of await listPacksToForget(database)) {
      const needed = await context.listSessionVersions(packId, requestId);
      forgotten += await database.write((transaction) => forgetVersions(transaction, packId, needed));
    }
    if (forgotten === 0) return;
    await giveBackPages(database);
  } catch (error) {
    logger.info({ err: error }, 'scenarios of uninstalled packs could not be forgotten');
  }
}

/**
 * Uninstalls a pack. Versions of its scenarios stay for sessions that began with them.
 * @throws ServiceError PACK_NOT_FOUND; INVALID_STATE for a built-in one; PACK_IN_USE; SERVICE_UNAVAILABLE when session-api
 *   cannot be asked whether it is in use.
 */
export async function uninstallPack(context: PackContext, packId: string, requestId: string): Promise<void> {
  const record = await context.catalogue.findPack(packId);
  if (record.built_in)
    throw new ServiceError('INVALID_STATE', 'This pack comes with Parley and cannot be uninstalled.', {
      details: { operation: 'deletePack', allowed_in: ['installed packs'] },
    });
  const active = await context.countSessions(packId, requestId);
  if (active > 0)
    throw new ServiceError('PACK_IN_USE', 'Sessions of this pack are still open. End or delete them first.', {
      details: { active_sessions: active },
    });
  const trash = path.join(context.folders.staging, `removed-${randomUUID()}`);
  await context.alone(async () => {
    await mkdir(context.folders.staging, { recursive: true, mode: 0o700 });
    const folder = installFolder(context.folders.installed, record.folder);
    let moved = false;
    try {
      await context.database.write(async (transaction) => {
        await removePack(transaction, packId);
        if (existsSync(folder)) {
          renameSync(folder, trash);
          moved = true;
        }
      });
    } catch (error) {
      if (moved) renameSync(trash, folder);
      throw error;
    }
  });
  await rm(trash, { recursive: true, force: true });
  await tidyUp(context, requestId);
  context.logger.info({ pack_id: packId }, 'pack uninstalled');
}
