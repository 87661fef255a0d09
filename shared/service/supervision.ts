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
  /** Whether it would accept the connections of a port that several processes share, and hand them out in turn. */
  readonly isRoundRobin: boolean;
}

/** As Node decides it in the supervisor, whose environment its children inherit. */
function readRoundRobin(reader: EnvironmentReader, platform: NodeJS.Platform): boolean {
  const policy = reader.text('NODE_CLUSTER_SCHED_POLICY', '');
  return policy === 'rr' || (policy !== 'none' && platform !== 'win32');
}

/**
 * PM2 tells its children how often it has started them again, and where its home is.
 * @throws ConfigError
 */
export function readSupervision(environment: Environment, platform = process.platform): Supervision {
  const reader = new EnvironmentReader(environment);
  const restarts = reader.integer('restart_time', null, { min: 0, max: 1_000_000_000 });
  const seconds = reader.integer('SIM_HUNG_AFTER_SECONDS', 30, { min: 0, max: 86_400 });
  return {
    home: restarts === null ? null : reader.text('PM2_HOME', path.join(os.homedir(), '.pm2')),
    isFirstStart: restarts === null || restarts === 0,
    hungAfterMs: seconds === 0 ? null : seconds * 1000,
    isRoundRobin: readRoundRobin(reader, platform),
  };
}
