import path from 'node:path';
import { DEFAULT_PORTS } from '@parley/shared/contracts';
import { EnvironmentReader, readBaseConfig, type BaseConfig, type Environment } from '@parley/shared/service';

export interface UiConfig {
  readonly base: BaseConfig;
  /** Port of session-api, on whatever host name the browser used for the page. */
  readonly api_port: number;
  /** Folder of the built page. */
  readonly page_dir: string;
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readUiConfig(environment: Environment): UiConfig {
  return {
    base: readBaseConfig(environment, 'ui'),
    api_port: new EnvironmentReader(environment).port('SIM_API_PORT', DEFAULT_PORTS.session_api),
    page_dir: path.join(__dirname, 'page'),
  };
}
