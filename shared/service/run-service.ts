import cluster from 'node:cluster';
import { mkdirSync, accessSync, constants } from 'node:fs';
import { url as debuggerAddress } from 'node:inspector';
import path from 'node:path';
import { carryInternalKey } from '@parley/shared/client';
import { DiskFullError, StartError, StorageFaultError, type ServiceName } from '@parley/shared/contracts';
import {
  isAlive,
  readRunRecords,
  signalProcess,
  writeRunRecord,
  type RunRecord,
} from '@parley/shared/process-identity';
import type { BaseConfig } from './base-config';
import { DescriptorWatch } from './descriptor-watch';
import { ConfigError, type Environment } from './environment';
import { PortTakenError } from './http-service';
import { openLogFile, type LogFile, type Logger } from './logger';
import { askWhetherAlive, findSupervised, PeerWatch } from './peer-watch';
import { readSupervision, type Supervision } from './supervision';
import { watchSupervisorLog } from './supervisor-log';

/** A process that runs. `stop` undoes the start in reverse order and resolves when all is closed. */
export interface RunningService {
  readonly port: number;
  /** Where it answers alone, if it shares that port. */
  readonly ownPort?: number | null;
  stop(): Promise<void>;
}

export interface ServiceProgram<C extends { base: BaseConfig }> {
  readonly service: ServiceName;
  readConfig(environment: Environment): C;
  start(config: C, logger: Logger): Promise<RunningService>;
  /** Watches the others and ends the one that hangs: for processes that never compute for long themselves. */
  readonly watchesPeers?: boolean;
}

/** Exit code of a start that only a person can mend; the supervisor's `stop_exit_codes` names it. */
export const EXIT_CONFIGURATION = 78;
/** Exit code of a start after the first whose cause may pass (a taken port, an unwritable folder): tried again, ever later. */
export const EXIT_TEMPORARY = 75;
/** Longer than any graceful stop takes, shorter than the supervisor's kill timeout. */
const STOP_DEADLINE_MS = 12_000;

/** With the folder of the logs, since a process without one would have to go on silently. @throws StartError */
function openDataFolder(dataDir: string): void {
  try {
    mkdirSync(path.join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.R_OK);
  } catch (cause) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException).code ?? '');
    throw new StartError(
      isFull
        ? `The disk with the data folder ${dataDir} is full. Make room there, or set SIM_DATA_DIR to a folder on another disk.`
        : `The data folder ${dataDir} cannot be written. Give this user the right to, or set SIM_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/**
 * Two sets on one data folder would each keep in memory what the other changes.
 * @throws StartError when this process of another set lives
 */
function refuseSecondSet({ data_dir, service, instance }: BaseConfig, { home }: Supervision): void {
  const isSibling = (one: RunRecord): boolean =>
    instance !== null && home !== null && one.instance !== undefined && one.supervisor === home;
  const others = readRunRecords(data_dir, service).filter((one) => one.pid !== process.pid && !isSibling(one));
  const other = others.find(isAlive);
  if (other === undefined) return;
  throw new StartError(
    `Another Parley uses the data folder ${data_dir} (process ${other.pid}, port ${other.port}). Stop it where it was started (npm stop), or set SIM_DATA_DIR to another folder.`,
  );
}

/** Takes away the run record, should one have been written. */
function recordRun(base: BaseConfig, supervision: Supervision, logger: Logger, ownPort?: number): () => void {
  const { service, port, instance, data_dir } = base;
  const debugged = debuggerAddress() !== undefined;
  try {
    const remove = writeRunRecord(data_dir, {
      ...{ service, port, supervisor: supervision.home, debugged },
      ...(instance === null ? {} : { instance }),
      ...(ownPort === undefined ? {} : { own_port: ownPort }),
    });
    return () => {
      try {
        remove();
      } catch (error) {
        // A disk that has become read-only must not keep the process from ending; what stays proves nothing later.
        logger.warn({ err: error }, 'the run record stays behind');
      }
    };
  } catch (error) {
    logger.warn({ err: error }, 'no run record: should this process hang, nobody can prove that it may be ended');
    return () => undefined;
  }
}

/** Only under a supervisor, which starts again what is ended. */
function watchPeers(base: BaseConfig, { home, hungAfterMs }: Supervision, logger: Logger): () => void {
  if (home === null || hungAfterMs === null) return () => undefined;
  const watch = new PeerWatch({
    peers: (Object.keys(base.peers) as ServiceName[]).filter((one) => one !== base.service),
    find: (peer) => findSupervised(base.data_dir, home, peer),
    ask: (port, timeoutMs) => askWhetherAlive(port, timeoutMs, base.internal_key),
    end: (record) => signalProcess(record, 'SIGKILL'),
    hungAfterMs,
    monotonic: () => performance.now(),
    wall: () => Date.now(),
    logger: logger.child({ subsystem: 'peer-watch' }),
  });
  watch.start();
  return () => watch.stop();
}

/** Its instances share a port: docs/decisions/0044-several-instances-behind-one-port.md. Only its supervisor's start decides how. */
function warnOfRoundRobin({ instance }: BaseConfig, { isRoundRobin }: Supervision, logger: Logger): void {
  if (instance === null || !cluster.isWorker || !isRoundRobin) return;
  logger.warn(
    'PM2 hands out the connections of this port in turn, and calls that go to a process that hangs hang with it: end PM2 (npx pm2 kill) and use npm start',
  );
}

/** Only a supervisor that died without stopping us cuts the line to it: nobody is left who could. */
function onSupervisorGone(stop: () => void): void {
  const { worker } = cluster;
  if (worker === undefined) process.once('disconnect', stop);
  else
    worker.once('disconnect', () => {
      // Node would end a worker of a cluster on the spot, with the turns that run.
      worker.exitedAfterDisconnect = true;
      stop();
    });
}

const isForAPerson = (error: unknown): error is Error =>
  error instanceof ConfigError ||
  error instanceof StartError ||
  error instanceof PortTakenError ||
  error instanceof DiskFullError ||
  error instanceof StorageFaultError;

/**
 * Runs a process: reads its configuration once, opens the log, starts, tells the supervisor that it is ready, and stops
 * cleanly on SIGINT, SIGTERM or the supervisor's `shutdown` message (the only one that arrives on Windows). What a person
 * must mend is one line on stderr and exit code 78; at a later start, since it ran before, 75: the cause may pass.
 */
export async function runService<C extends { base: BaseConfig }>(program: ServiceProgram<C>): Promise<void> {
  let isFirstStart = true;
  const fail = (error: unknown): never => {
    const line = isForAPerson(error) ? error.message : `cannot start: ${(error as Error).stack ?? String(error)}`;
    process.stderr.write(`${program.service}: ${line}\n`);
    process.send?.({ type: 'failed', service: program.service, line });
    if (!isForAPerson(error)) process.exit(1);
    // What it was once started with it can be started with again; a variable does not mend itself.
    process.exit(isFirstStart || error instanceof ConfigError ? EXIT_CONFIGURATION : EXIT_TEMPORARY);
  };
  let running: RunningService | undefined;
  let logFile: LogFile | undefined;
  let stopping = false;
  /** In the order in which they were begun. */
  const undo: (() => void)[] = [];

  const stop = async (exitCode: number, reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logFile?.logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
    deadline.unref();
    let code = exitCode;
    try {
      await running?.stop();
    } catch (error) {
      logFile?.logger.error({ err: error }, 'could not stop in order');
      code = 1;
    }
    for (const step of undo.reverse()) step();
    await logFile?.close();
    process.exit(code);
  };

  try {
    const supervision = readSupervision(process.env); // With the next line, the one read of the environment.
    isFirstStart = supervision.isFirstStart;
    const config = program.readConfig(process.env);
    openDataFolder(config.base.data_dir);
    logFile = openLogFile(config.base);
    const { logger } = logFile;
    warnOfRoundRobin(config.base, supervision, logger);
    process.once('SIGINT', () => void stop(0, 'SIGINT'));
    process.once('SIGTERM', () => void stop(0, 'SIGTERM'));
    process.on('message', (message) => {
      if (message === 'shutdown') void stop(0, 'shutdown');
    });
    onSupervisorGone(() => void stop(0, 'supervisor gone'));
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'uncaught exception');
      void stop(1, 'uncaught exception');
    });
    process.on('unhandledRejection', (error) => {
      logger.fatal({ err: error }, 'unhandled rejection');
      void stop(1, 'unhandled rejection');
    });
    refuseSecondSet(config.base, supervision);
    undo.push(recordRun(config.base, supervision, logger));
    // Only calls of peers carry it: the gateway calls model servers with a client of its own.
    carryInternalKey(config.base.internal_key);
    running = await program.start(config, logger);
    if (stopping) return;
    if (running.ownPort) recordRun(config.base, supervision, logger, running.ownPort);
    const descriptors = new DescriptorWatch(logger);
    descriptors.start();
    undo.push(() => descriptors.stop());
    if (program.watchesPeers === true) {
      undo.push(watchPeers(config.base, supervision, logger));
      if (supervision.home !== null) undo.push(watchSupervisorLog(supervision.home, logger));
    }
    process.send?.('ready');
  } catch (error) {
    logFile?.logger.fatal({ err: error }, 'cannot start');
    for (const step of undo.reverse()) step();
    await logFile?.close();
    fail(error);
  }
}
