import path from 'node:path';
import { DEFAULT_PORTS } from '@parley/shared/contracts';
import { EnvironmentReader, readBaseConfig, type BaseConfig, type Environment } from '@parley/shared/service';

export interface UiConfig {
  readonly base: BaseConfig;
  /** Port of session-api, on whatever host name the browser used for the page; null: the page's own origin, behind a proxy. */
  readonly api_port: number | null;
  /** Folder of the built page. */
  readonly page_dir: string;
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readConfig(environment: Environment): UiConfig {
  const base = readBaseConfig(environment, 'ui');
  const port = new EnvironmentReader(environment).port('SIM_API_PORT', DEFAULT_PORTS.session_api);
  return {
    base,
    api_port: base.public_origin === null ? port : null,
    page_dir: path.join(__dirname, 'page'),
  };
}
