import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type Pack, type PackForm } from '@parley/shared/contracts';
import type { PackContext } from '../context';
import { importPack } from '../import/installing/install';
import { packFromForm } from './pack-from-form';
import { writePackFiles } from './write-pack';

export interface MadePack {
  readonly pack: Pack;
  readonly scenario_id: string;
}

/** The form with an id that no pack has: the one that it asks for, else its own with the next free number behind it. */
async function withFreeId(context: PackContext, form: PackForm): Promise<PackForm> {
  if (form.pack_id !== undefined) return form;
  const taken = new Set((await context.catalogue.listPacks()).map(({ pack_id: id }) => id));
  const own = packFromForm(form).pack_id;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? own : `${own}_${number}`;
    if (!taken.has(id)) return { ...form, pack_id: id };
  }
}

/**
 * Makes a pack from a form and installs it as an import does, checks included.
 * @throws ServiceError PACK_ALREADY_INSTALLED for an id that was asked for and is taken; PACK_INVALID when the answers make
 * texts that no pack may hold, such as addresses or instructions to the model.
 */
export async function createPack(context: PackContext, form: PackForm): Promise<MadePack> {
  const made = packFromForm(await withFreeId(context, form));
  const folder = path.join(context.folders.staging, `form-${randomUUID()}`);
  try {
    await writePackFiles(folder, made);
    const { pack } = await importPack(context, { path: folder, uploaded: false }, { replace: 'none' });
    return { pack, scenario_id: made.scenario_id };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'PACK_INVALID') throw error;
    throw new ServiceError(
      'PACK_INVALID',
      'These words cannot be made into a talk: say it again without links or instructions.',
      {
        details: error.details ?? { findings: [] },
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
