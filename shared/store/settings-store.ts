import { DEFAULT_SETTINGS, Settings } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { storedJson } from './stored-json';
import { read } from './stored-row';

/** What a user may change; telemetry_enabled is never stored. */
export type SettingsPatch = {
  readonly [Key in Exclude<keyof Settings, 'telemetry_enabled'>]?: Settings[Key] | undefined;
};

const StoredSetting = z.object({ key: Settings.keyof(), value: z.string() });

/** All settings, defaults filled in; a row that is damaged or does not fit counts as absent. */
export async function getSettings(queryable: Queryable): Promise<Settings> {
  const rows = await read(queryable, (knex) => knex('settings').select('key', 'value'));
  const known = rows.flatMap((row) => {
    // Rows of other keys lie there, too.
    const stored = StoredSetting.safeParse(row);
    if (!stored.success) return [];
    const { key, value } = stored.data;
    const setting = storedJson(Settings.shape[key]).safeParse(value);
    return setting.success ? [[key, setting.data] as const] : [];
  });
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(known) };
}

/** Changes the settings that the patch names. @returns all settings after it */
export async function patchSettings(transaction: Transaction, patch: SettingsPatch): Promise<Settings> {
  const rows = Object.entries(patch)
    .filter(([key, value]) => value !== undefined && key !== 'telemetry_enabled' && key in DEFAULT_SETTINGS)
    .map(([key, value]) => ({ key, value: JSON.stringify(value) }));
  if (rows.length > 0) await transaction.knex('settings').insert(rows).onConflict('key').merge();
  return getSettings(transaction);
}
