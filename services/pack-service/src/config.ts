import path from 'node:path';
import { EnvironmentReader, readBaseConfig, type BaseConfig, type Environment } from '@parley/shared/service';

export interface PackServiceConfig {
  readonly base: BaseConfig;
  /** Folder of the packs that come with Parley, one folder a pack. */
  readonly built_in_packs_dir: string;
}

/** `packs/` of the project, wherever this file runs from: src/ and dist/ lie equally deep. */
const PROJECT_PACKS = path.resolve(__dirname, '../../../packs');

/**
 * Reads what pack-service needs to know.
 * @throws ConfigError naming the variable, its value and what is allowed.
 */
export function readConfig(environment: Environment): PackServiceConfig {
  const reader = new EnvironmentReader(environment);
  return {
    base: readBaseConfig(environment, 'pack_service'),
    built_in_packs_dir: path.resolve(reader.text('SIM_BUILT_IN_PACKS_DIR', PROJECT_PACKS)),
  };
}
