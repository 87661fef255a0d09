import { readBaseConfig } from '@parley/shared/service';
import type { BackupPlace } from './create-backup';

/** Where the set keeps its data, read as the set reads it. @throws ConfigError */
export function readBackupPlace(): BackupPlace {
  const { data_dir: dataDir, database_url: url } = readBaseConfig(process.env, 'session_api');
  return { dataDir, url };
}
