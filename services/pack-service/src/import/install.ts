import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type Finding, type Pack } from '@parley/shared/contracts';
import { transact } from '@parley/shared/store';
import { toPack } from '../catalogue/catalogue';
import type { PackContext } from '../context';
import { findPackRecord, removePack, savePack } from '../pack-records';
import { packRecordOf } from './pack-record-of';
import { withStagedPack, type PackSource, type StagedPack } from './stage-pack';

/**
 * The folder of a pack inside `packs`. Ids have a strict form already; that the result stays inside is checked all the
 * same (interface, import rule 6).
 */
export function installFolder(packsFolder: string, packId: string): string {
  const folder = path.resolve(packsFolder, packId);
  if (!/^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(packId) || path.dirname(folder) !== path.resolve(packsFolder))
    throw new ServiceError('PACK_INVALID', 'The pack cannot be installed under this id. Choose another pack_id.', {
      details: { findings: [] },
    });
  return folder;
}

async function install(context: PackContext, staged: StagedPack): Promise<Pack> {
  const { validation, findings } = staged;
  if (validation === null) throw new Error('only a valid pack is installed');
  const now = context.now().toISOString();
  const id = validation.pack.manifest?.content.pack_id ?? '';
  const target = installFolder(context.folders.installed, id);
  const record = packRecordOf(validation, findings, { builtIn: false, folder: id, installedAt: now });
  const alreadyInstalled = (): ServiceError =>
    new ServiceError(
      'PACK_ALREADY_INSTALLED',
      'A pack with this id is installed already. Uninstall it first to replace it.',
      {
        details: { pack_id: id },
      },
    );
  await mkdir(context.folders.installed, { recursive: true, mode: 0o700 });
  let moved = false;
  try {
    await transact(context.database, async (transaction) => {
      if ((await findPackRecord(transaction, id)) !== null || existsSync(target)) throw alreadyInstalled();
      await savePack(transaction, record, validation.scenarios, now);
      // The last thing before the commit, and synchronous: a crash leaves the rows undone or the pack whole, and a whole
      // folder without rows is taken in at the next start.
      renameSync(staged.folder, target);
      moved = true;
    });
  } catch (error) {
    if (moved) renameSync(target, staged.folder);
    throw error;
  }
  return toPack(record, validation.scenarios.length);
}

/**
 * Imports a pack, all or nothing.
 * @throws ServiceError PACK_INVALID with all findings; PACK_ALREADY_INSTALLED; VALIDATION_ERROR for a path that is not there.
 */
export function importPack(context: PackContext, source: PackSource): Promise<{ pack: Pack; findings: Finding[] }> {
  return withStagedPack(context, source, async (staged) => {
    if (!staged.valid) {
      const errors = staged.findings.filter((one) => one.severity === 'error').length;
      throw new ServiceError(
        'PACK_INVALID',
        `The pack has ${errors} ${errors === 1 ? 'error' : 'errors'}; nothing was installed. Mend what the findings name and import it again.`,
        {
          details: { findings: staged.findings },
        },
      );
    }
    const pack = await context.alone(() => install(context, staged));
    context.logger.info({ pack_id: pack.pack_id, count: pack.scenario_count }, 'pack installed');
    return { pack, findings: [...staged.findings] };
  });
}

/** Validates without installing. What is installed already is no error here. */
export function checkPack(context: PackContext, source: PackSource): Promise<{ valid: boolean; findings: Finding[] }> {
  return withStagedPack(context, source, (staged) =>
    Promise.resolve({ valid: staged.valid, findings: [...staged.findings] }),
  );
}

/**
 * Uninstalls a pack. Versions of its scenarios stay for sessions that have ended.
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
      await transact(context.database, async (transaction) => {
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
  context.logger.info({ pack_id: packId }, 'pack uninstalled');
}
