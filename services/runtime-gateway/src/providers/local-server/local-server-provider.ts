import type { ProviderDefinition } from '../provider';
import { ID, LocalServer } from './local-server';
import { LocalServerPool } from './local-server-pool';
import { readLocalServerSettings } from './local-server-settings';

export const localServerProvider: ProviderDefinition = {
  id: ID,
  variables: { base_url: 'SIM_LOCAL_SERVER_BASE_URL', model_id: 'SIM_LOCAL_SERVER_MODEL_ID' },
  configure(reader) {
    const { base_urls: addresses, ...settings } = readLocalServerSettings(reader);
    const [base_url, ...others] = addresses;
    if (others.length > 0)
      return {
        create: (surroundings, chosen) => new LocalServerPool(addresses, { ...settings, ...chosen }, surroundings),
        base_url: null,
        api_key: settings.api_key,
      };
    return {
      create: (surroundings, chosen) => new LocalServer({ ...settings, base_url, ...chosen }, surroundings),
      base_url,
      api_key: settings.api_key,
    };
  },
};
