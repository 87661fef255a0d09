import { ServiceError, type PatchSettingsRequest, type Settings } from '@parley/shared/contracts';
import { getSettings, patchSettings, type Database } from '@parley/shared/store';

/** The settings, in memory beside the table where this process alone changes them. */
export class SettingsCache {
  private known: Settings | null = null;

  constructor(
    private readonly database: Database,
    private readonly isAlone: boolean,
  ) {}

  async current(): Promise<Settings> {
    if (!this.isAlone) return getSettings(this.database);
    this.known ??= await getSettings(this.database);
    return this.known;
  }

  /** @throws ServiceError SETTING_READ_ONLY */
  async change(patch: PatchSettingsRequest): Promise<Settings> {
    const { telemetry_enabled: telemetry, ...rest } = patch;
    if (telemetry !== undefined)
      throw new ServiceError('SETTING_READ_ONLY', 'telemetry_enabled cannot be changed: Parley never sends telemetry.');
    this.known = await this.database.write((transaction) => patchSettings(transaction, rest));
    return this.known;
  }
}
