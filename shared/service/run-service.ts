import { mkdirSync, accessSync, constants } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { StartError, type ServiceName } from '@parley/shared/contracts';
import type { BaseConfig } from './base-config';
import { ConfigError, type Environment } from './environment';
import { PortTakenError } from './http-service';
import { openLogFile, type Logger } from './logger';

/** A process that runs. `stop` undoes the start in reverse order and resolves when all is closed. */
export interface RunningService {
  readonly port: number;
  stop(): Promise<void>;
}

export interface ServiceProgram<C extends { base: BaseConfig }> {
  readonly service: ServiceName;
  readConfig(environment: Environment): C;
  start(config: C, logger: Logger): Promise<RunningService>;
  /** Between the player and the model: what it runs is compiled well sooner, for a few megabytes more. */
  readonly isOnThePathOfATurn?: boolean;
}

/** Exit code of a start that only a person can mend; the supervisor's `stop_exit_codes` names it. */
export const EXIT_CONFIGURATION = 78;
/** Longer than any graceful stop takes, shorter than the supervisor's kill timeout. */
const STOP_DEADLINE_MS = 12_000;

function openDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.R_OK);
  } catch (cause) {
    throw new StartError(
      `The data folder ${dataDir} cannot be written. Give this user the right to, or set SIM_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

const isForAPerson = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof StartError || error instanceof PortTakenError;

/**
 * Under the supervisor's arguments for Node, which let a process ask for it; V8 alone would keep the memory for minutes. For
 * this one collection V8 is told to pack what is left closely, and to drop the compiled form of what ran only at the start:
 * should it be called again it is compiled again.
 */
function giveBackWhatStartingTook(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--stress-flush-code');
  gc();
  setFlagsFromString('--no-stress-flush-code');
  gc();
  if (!process.execArgv.includes('--optimize-for-size')) setFlagsFromString('--no-optimize-for-size');
}

/**
 * A person takes a turn every half minute: the code of a turn must not wait for thousands of them until V8 compiles it well.
 * Said only now, since what runs at the start alone is not worth it. The numbers behind it:
 * docs/decisions/0013-the-path-of-a-turn.md.
 */
function compileWellSoon(): void {
  // V8 counted bytes of bytecode until 11 and counts calls since 12; each is about a seventh of what it would wait for.
  const countsCalls = Number.parseInt(process.versions.v8, 10) >= 12;
  setFlagsFromString(countsCalls ? '--invocation-count-for-turbofan=400' : '--interrupt-budget=10000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=2000');
}

/**
 * Runs a process: reads its configuration once, opens the log, starts, tells the supervisor that it is ready, and stops
 * cleanly on SIGINT, SIGTERM or the supervisor's `shutdown` message (the only one that arrives on Windows). What a person
 * must mend is one line on stderr and exit code 78.
 */
export async function runService<C extends { base: BaseConfig }>(program: ServiceProgram<C>): Promise<void> {
  const fail = (error: unknown): never => {
    const line = isForAPerson(error) ? error.message : `cannot start: ${(error as Error).stack ?? String(error)}`;
    process.stderr.write(`${program.service}: ${line}\n`);
    process.send?.({ type: 'failed', service: program.service, line });
    process.exit(isForAPerson(error) ? EXIT_CONFIGURATION : 1);
  };
  let running: RunningService | undefined;
  let logFile: Awaited<ReturnType<typeof openLogFile>> | undefined;
  let stopping = false;

  const stop = async (exitCode: number, reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logFile?.logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
    deadline.unref();
    try {
      await running?.stop();
      await logFile?.close();
    } catch {
      process.exit(1);
    }
    process.exit(exitCode);
  };

  try {
    const config = program.readConfig(process.env); // The one read of the environment (config of the process).
    openDataFolder(config.base.data_dir);
    logFile = await openLogFile(program.service, config.base.log_level, config.base.data_dir);
    const { logger } = logFile;
    process.once('SIGINT', () => void stop(0, 'SIGINT'));
    process.once('SIGTERM', () => void stop(0, 'SIGTERM'));
    process.on('message', (message) => {
      if (message === 'shutdown') void stop(0, 'shutdown');
    });
    // Only a supervisor that died without stopping us cuts this line: nobody is left who could.
    process.once('disconnect', () => void stop(0, 'supervisor gone'));
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'uncaught exception');
      void stop(1, 'uncaught exception');
    });
    process.on('unhandledRejection', (error) => {
      logger.fatal({ err: error }, 'unhandled rejection');
      void stop(1, 'unhandled rejection');
    });
    running = await program.start(config, logger);
    if (stopping) return;
    process.send?.('ready');
    setImmediate(() => {
      giveBackWhatStartingTook();
      if (program.isOnThePathOfATurn === true) compileWellSoon();
    });
  } catch (error) {
    logFile?.logger.fatal({ err: error }, 'cannot start');
    await logFile?.close();
    fail(error);
  }
}
