import path from 'node:path';
import {
  ConfigError,
  EnvironmentReader,
  readBaseConfig,
  readGatewayPatience,
  type BaseConfig,
  type Environment,
} from '@parley/shared/service';

export interface SessionApiConfig {
  readonly base: BaseConfig;
  /** off: every input is accepted. enforce: the classifier is connected. */
  readonly safety_precheck: 'off' | 'enforce';
  /** More turns than this at once are refused with OVERLOADED. */
  readonly max_concurrent_turns: number;
  /** Origins of other pages that may call the API and open sockets as the page may. */
  readonly allowed_origins: readonly string[];
  /** Seconds without a byte from the gateway after which a turn counts as stalled. */
  readonly turn_quiet_seconds: number;
  /** Where several session-apis keep what they share of running sessions; null: this is the only one. */
  readonly redis_url: string | null;
  /** Named to people while the gateway cannot be asked which runtime plays; null: what was chosen. */
  readonly runtime_id: string | null;
  /** Where the documents of the interface lie, as `npm run generate` wrote them. */
  readonly schemas_dir: string;
}

/** `schemas/` of the project, wherever this file runs from: src/ and dist/ lie equally deep. */
const PROJECT_SCHEMAS = path.resolve(__dirname, '../../../schemas');

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readConfig(environment: Environment): SessionApiConfig {
  const reader = new EnvironmentReader(environment);
  const base = readBaseConfig(environment, 'session_api');
  return {
    base,
    safety_precheck: reader.choice('SIM_SAFETY_PRECHECK', 'off', ['off', 'enforce']),
    max_concurrent_turns: reader.integer('SIM_MAX_CONCURRENT_TURNS', 64, { min: 1, max: 100_000 }),
    allowed_origins: reader.origins('SIM_ALLOWED_ORIGINS'),
    turn_quiet_seconds: readGatewayPatience(environment),
    redis_url: readRedisUrl(reader, base),
    runtime_id: reader.text('SIM_RUNTIME_ID', null),
    schemas_dir: PROJECT_SCHEMAS,
  };
}

/** @throws ConfigError which names no password: the line goes to logs */
function readRedisUrl(reader: EnvironmentReader, base: BaseConfig): string | null {
  const url = reader.text('SIM_REDIS_URL', null);
  if (url === null) return null;
  const refused = (allowed: string): ConfigError => new ConfigError('SIM_REDIS_URL', '…', allowed);
  if (!URL.canParse(url) || !['redis:', 'rediss:'].includes(new URL(url).protocol))
    throw refused('it must be an address that begins with redis:// or rediss://');
  if (base.database_url === null)
    throw refused('it needs PostgreSQL as well, in SIM_DATABASE_URL; one session-api on SQLite needs no Redis');
  if (base.internal_key === null)
    throw refused(
      'it needs SIM_INTERNAL_KEY as well, the same for all processes: the words of talks that are not saved are sealed with it',
    );
  return url;
}
