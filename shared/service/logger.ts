import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pino, { type DestinationStream, type Logger } from 'pino';
import { DamagedRowError, ServiceError, type ServiceName } from '@parley/shared/contracts';
import { ConfigError } from './environment';
import { LogWriter } from './log-writer';
import type { BaseConfig, LogLevel } from './base-config';

export type { Logger } from 'pino';

/**
 * The fields that a log line may have. Anything else is dropped before it is written: conversation text, prompts and
 * model output can then reach a log only through a field of this list, and none of these carries text from a person.
 */
const ALLOWED_FIELDS = new Set([
  'service', 'subsystem', 'operation', 'request_id', 'session_id', 'scenario_id', 'pack_id', 'npc_id', 'model_id',
  'runtime_id', 'install_id', 'job_id', 'turn', 'version', 'status', 'code', 'reason', 'duration_ms', 'bytes', 'count',
  'attempt', 'attempts', 'port', 'host', 'signal', 'exit_code', 'peer', 'state', 'rule', 'variable', 'member', 'err',
  'retry_in_ms', 'migration', 'schema_version', 'ending_type', 'pid', 'level_of', 'tokens', 'action', 'server',
]); // prettier-ignore

/** Errors whose message is our own or names code and addresses only. Others (SQL with its values, JSON with a piece of its text) lose it. */
function messageIsSafe(error: Error): boolean {
  return (
    error instanceof ServiceError ||
    error instanceof ConfigError ||
    error instanceof DamagedRowError ||
    (error.constructor === TypeError && !('cause' in error)) ||
    (error as NodeJS.ErrnoException).syscall !== undefined
  );
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    code: (error as NodeJS.ErrnoException).code,
    ...(messageIsSafe(error) ? { message: error.message } : {}),
    stack: frames.join('\n'),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}

function allowedOnly(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (ALLOWED_FIELDS.has(name)) kept[name] = value;
  return kept;
}

type LoggedProcess = Pick<BaseConfig, 'service' | 'instance' | 'log_level' | 'data_dir'>;

export interface LogFile {
  readonly logger: Logger;
  /** Writes what is still buffered. */
  close(): Promise<void>;
}

interface LoggedBase {
  readonly service: ServiceName;
  readonly instance?: number;
}

const loggerOptions = (base: LoggedBase, level: LogLevel): pino.LoggerOptions => ({
  level,
  base,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { log: allowedOnly, level: (label) => ({ level: label }) },
  serializers: { err: describeError },
});

/** A logger that writes to a stream of the caller's: for tests. */
export function createLogger(service: ServiceName, level: LogLevel, destination: DestinationStream): Logger {
  return pino(loggerOptions({ service }, level), destination);
}

/** A logger that writes nothing. */
export const silentLogger = (): Logger => pino({ level: 'silent' });

/**
 * JSON lines in `<data_dir>/logs/<service>.N.log`, readable by the owner alone, rotated at 10 MB, six files kept. Each of several
 * processes on one port has files of its own, `<service>-<instance>.N.log`. When a person runs the process in a terminal, the
 * lines go there too.
 * @throws Error when the folder of the logs cannot be made or read.
 */
export function openLogFile({ service, instance, log_level: level, data_dir: dataDir }: LoggedProcess): LogFile {
  const base: LoggedBase = instance === null ? { service } : { service, instance };
  const folder = path.join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const writer = new LogWriter({
    folder,
    name: service.replaceAll('_', '-') + (instance === null ? '' : `-${instance}`),
    maxFileBytes: 10_000_000,
    keptFiles: 6,
    describeLoss: (count) =>
      `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), ...base, count, msg: 'log lines were lost' })}\n`,
  });
  // pino is given a function that takes lines and nothing else: what it would flush at a fatal line, it would flush for ever
  // on a full disk.
  const file: DestinationStream = { write: (line) => writer.write(line) };
  const destination = process.stdout.isTTY
    ? pino.multistream([
        { level: 'trace', stream: file },
        { level: 'trace', stream: process.stdout },
      ])
    : file;
  return { logger: pino(loggerOptions(base, level), destination), close: () => writer.close() };
}
