import { DEFAULT_SETTINGS, Settings } from '@parley/shared/contracts';
import type { Queryable } from './dialect';

/** What a user may change; telemetry_enabled is never stored. */
export type SettingsPatch = {
  readonly [Key in Exclude<keyof Settings, 'telemetry_enabled'>]?: Settings[Key] | undefined;
};

/** All settings, defaults filled in; a row that does not fit counts as absent. */
export async function getSettings(queryable: Queryable): Promise<Settings> {
  const rows = (await queryable('settings').select('key', 'value')) as { key: string; value: string }[];
  const known = rows.flatMap(({ key, value }) => {
    const setting = Settings.shape[key as keyof Settings]?.safeParse(JSON.parse(value));
    return setting?.success === true ? [[key, setting.data] as const] : [];
  });
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(known) };
}

/** Changes the settings that the patch names. @returns all settings after it */
export async function patchSettings(transaction: Queryable, patch: SettingsPatch): Promise<Settings> {
  const rows = Object.entries(patch)
    .filter(([key, value]) => value !== undefined && key !== 'telemetry_enabled' && key in DEFAULT_SETTINGS)
    .map(([key, value]) => ({ key, value: JSON.stringify(value) }));
  if (rows.length > 0) await transaction('settings').insert(rows).onConflict('key').merge();
  return getSettings(transaction);
}
