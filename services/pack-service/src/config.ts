import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import {
  ConfigError,
  EnvironmentReader,
  readBaseConfig,
  type BaseConfig,
  type Environment,
} from '@parley/shared/service';
import { databaseAddressOf } from '@parley/shared/data-folder';

/** What a process knows that answers reads beside the one that writes. */
export interface ReaderConfig {
  /** Address of the one that writes. */
  readonly writer_url: string;
  /** Where the writer's installed packs lie, as this process sees them. */
  readonly packs_dir: string;
}

export interface PackServiceConfig {
  readonly base: BaseConfig;
  /** Folder of the packs that come with Parley, one folder a pack. */
  readonly built_in_packs_dir: string;
  /** Where the members of the pack format lie, as `npm run generate` wrote them. */
  readonly schemas_dir: string;
  /** null: this process is the writer. */
  readonly reader: ReaderConfig | null;
}

/** The project, wherever this file runs from: src/ and dist/ lie equally deep. */
const PROJECT = path.resolve(__dirname, '../../..');

export function isReadableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** @throws ConfigError: with a folder that is not there all packs that come with Parley would be gone. */
function readBuiltInPacksDir(reader: EnvironmentReader): string {
  const variable = 'SIM_BUILT_IN_PACKS_DIR';
  const given = reader.text(variable, null);
  if (given === null) return path.join(PROJECT, 'packs');
  const folder = path.resolve(given);
  if (!isReadableFolder(folder))
    throw new ConfigError(variable, given, `it must be a folder of packs that can be read, and ${folder} is none`);
  return folder;
}

/**
 * Reads what pack-service needs to know.
 * @throws ConfigError naming the variable, its value and what is allowed.
 */
export function readConfig(environment: Environment): PackServiceConfig {
  const reader = new EnvironmentReader(environment);
  const base = readBaseConfig(environment, 'pack_service');
  return {
    base,
    built_in_packs_dir: readBuiltInPacksDir(reader),
    schemas_dir: path.join(PROJECT, 'schemas'),
    reader: readReader(reader, base),
  };
}

/** @throws ConfigError for half of what a reader needs */
function readReader(reader: EnvironmentReader, { data_dir, database_url }: BaseConfig): ReaderConfig | null {
  const writer = reader.url('SIM_PACKS_WRITER_URL', null);
  const packs = reader.text('SIM_PACKS_DIR', null);
  if (writer === null) {
    if (packs === null) return null;
    throw new ConfigError(
      'SIM_PACKS_DIR',
      packs,
      'it is for a pack-service that only reads and needs SIM_PACKS_WRITER_URL as well; one that writes keeps its packs in SIM_DATA_DIR',
    );
  }
  const address = databaseAddressOf(data_dir, database_url);
  if (!('system' in address) || address.system !== 'postgres')
    throw new ConfigError(
      'SIM_PACKS_WRITER_URL',
      writer,
      'it needs PostgreSQL as well, in SIM_DATABASE_URL; on SQLite there is one pack-service',
    );
  if (packs === null)
    throw new ConfigError(
      'SIM_PACKS_WRITER_URL',
      writer,
      'it needs SIM_PACKS_DIR as well, the folder packs in the data folder of the pack-service that writes',
    );
  return { writer_url: writer, packs_dir: path.resolve(packs) };
}
