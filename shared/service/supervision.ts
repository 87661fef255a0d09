import os from 'node:os';
import path from 'node:path';
import { EnvironmentReader, type Environment } from './environment';

/** What a process knows of the supervisor that has started it. */
export interface Supervision {
  /** Home of the supervisor; null when a person or a test started the process. */
  readonly home: string | null;
  /** Later starts follow an end that nobody wished for. */
  readonly isFirstStart: boolean;
  /** Milliseconds without an answer after which a process of the set counts as hung; null when none ever does. */
  readonly hungAfterMs: number | null;
}

/**
 * PM2 tells its children how often it has started them again, and where its home is.
 * @throws ConfigError
 */
export function readSupervision(environment: Environment): Supervision {
  const reader = new EnvironmentReader(environment);
  const restarts = reader.integer('restart_time', null, { min: 0, max: 1_000_000_000 });
  const seconds = reader.integer('SIM_HUNG_AFTER_SECONDS', 30, { min: 0, max: 86_400 });
  return {
    home: restarts === null ? null : reader.text('PM2_HOME', path.join(os.homedir(), '.pm2')),
    isFirstStart: restarts === null || restarts === 0,
    hungAfterMs: seconds === 0 ? null : seconds * 1000,
  };
}
