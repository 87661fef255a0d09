import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { DiskFullError, ServiceError, type ModelServerState } from '@parley/shared/contracts';
import type { Environment, Logger } from '@parley/shared/service';
import { findModelServer, findNpm, isOnPath } from './find-program';
import { arePackagesInstalled, hasBuildForThisMachine, packageCount } from './installed-packages';

/** What an install takes on the disk, in bytes; measured on Linux. */
const SIZE_BYTES = 115_000_000;
const LLAMA_SERVER = 'llama-server';
/** What npm needs to know; the rest of the folder stays where it is. */
const COPIED = ['package.json', 'package-lock.json', '.npmrc', 'no-gpu'];
const TEMPORARY = '.installing-';
const NPM_WORDS = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=http',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
];
const KEPT_OUTPUT = 8_000;

/** The install failed in a way that a person can do something about. */
class InstallError extends Error {}

export interface ModelServerInstallOptions {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Of the model server; null: this copy of Parley comes without. */
  readonly folder?: string | null;
  /** npm's program. */
  readonly npm?: string | null;
}

type Installing = NonNullable<ModelServerState['installing']>;

/**
 * The model server that comes with Parley, as far as the gateway goes: whether its packages are there, and fetching them with
 * npm when somebody asks for it. They are put together in a folder beside and then moved into place in one step.
 */
export class ModelServerInstall {
  private readonly folder: string | null;
  private installing: Installing | null = null;
  private message: string | null = null;
  private running: { abort: AbortController; ended: Promise<void> } | null = null;

  constructor(private readonly options: ModelServerInstallOptions) {
    this.folder = options.folder === undefined ? findModelServer() : options.folder;
  }

  get state(): ModelServerState {
    return {
      installed: this.isInstalled,
      installing: this.installing,
      size_bytes: SIZE_BYTES,
      licence: 'MIT',
      command_found: this.commandFound,
      message: this.message,
    };
  }

  private get commandFound(): ModelServerState['command_found'] {
    const { environment } = this.options;
    if ((environment['SIM_SIDECAR_COMMAND'] ?? '') !== '') return 'configured';
    if (isOnPath(LLAMA_SERVER, environment)) return LLAMA_SERVER;
    return this.command === null ? null : 'bundled';
  }

  /** The command line that starts it; null when it is not installed. */
  get command(): string | null {
    if (this.folder === null || !this.isInstalled) return null;
    const program = path.join(this.folder, 'dist', 'service.cjs');
    return existsSync(program) ? `"${process.execPath}" "${program}"` : null;
  }

  /**
   * Begins the install, unless it is there already.
   * @throws ServiceError MODEL_BUSY while one is under way, NOT_SUPPORTED_BY_RUNTIME where it cannot be installed at all.
   */
  async install(): Promise<ModelServerState> {
    const { folder } = this;
    if (this.running !== null)
      throw new ServiceError('MODEL_BUSY', 'The model server is being installed already; wait for it, or cancel it.');
    if (this.isInstalled) return this.state;
    const npm = this.options.npm === undefined ? findNpm() : this.options.npm;
    if (folder === null || npm === null)
      throw new ServiceError(
        'NOT_SUPPORTED_BY_RUNTIME',
        npm === null
          ? 'npm was not found beside Node; install npm, or install llama.cpp and start its llama-server.'
          : 'This copy of Parley comes without its model server; install llama.cpp and start its llama-server.',
      );
    const abort = new AbortController();
    this.message = null;
    this.installing = {
      started_at: this.options.now().toISOString(),
      packages_done: 0,
      packages_total: packageCount(folder),
      line: null,
    };
    const ended = this.follow(folder, npm, abort.signal);
    this.running = { abort, ended };
    return this.state;
  }

  /** Stops an install and removes what is there of it; resolves when that is done. */
  async cancel(): Promise<void> {
    this.running?.abort.abort();
    await this.running?.ended;
  }

  private get isInstalled(): boolean {
    return this.folder !== null && arePackagesInstalled(this.folder, path.join(this.folder, 'node_modules'));
  }

  private async follow(folder: string, npm: string, signal: AbortSignal): Promise<void> {
    const { logger } = this.options;
    try {
      await this.carryOut(folder, npm, signal);
      logger.info('the model server is installed');
    } catch (error) {
      if (!signal.aborted) {
        this.message = messageOf(error);
        logger.warn({ err: error }, 'the model server was not installed');
      }
    } finally {
      this.installing = null;
      this.running = null;
    }
  }

  private async carryOut(folder: string, npm: string, signal: AbortSignal): Promise<void> {
    // What a killed install left is of no use.
    const leftOver = (await readdir(folder)).filter((name) => name.startsWith(TEMPORARY));
    for (const name of leftOver) await rm(path.join(folder, name), { recursive: true, force: true });
    const temporary = await mkdtemp(path.join(folder, TEMPORARY));
    try {
      for (const name of COPIED)
        if (existsSync(path.join(folder, name)))
          await cp(path.join(folder, name), path.join(temporary, name), { recursive: true });
      await mkdir(path.join(temporary, 'node_modules'), { recursive: true });
      signal.throwIfAborted();
      await this.runNpm(npm, temporary, signal);
      const modules = path.join(temporary, 'node_modules');
      if (!arePackagesInstalled(folder, modules))
        throw new InstallError('npm ended without having installed everything; try again.');
      if (!hasBuildForThisMachine(modules))
        throw new InstallError(
          'There is no build of the model server for this system; install llama.cpp and start its llama-server.',
        );
      await rm(path.join(folder, 'node_modules'), { recursive: true, force: true });
      await rename(modules, path.join(folder, 'node_modules'));
    } finally {
      await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  private runNpm(npm: string, folder: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [npm, ...NPM_WORDS], {
        cwd: folder,
        env: { ...this.options.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        signal,
      });
      let output = '';
      const take = (text: string): void => {
        output = (output + text).slice(-KEPT_OUTPUT);
        for (const line of text.split('\n')) this.noteProgress(line);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      // One that was cancelled is waited for: it writes into the folder as long as it lives.
      child.once('error', (error) => {
        if (!signal.aborted) reject(error);
      });
      child.once('close', (code) => {
        if (signal.aborted) reject(signal.reason as Error);
        else if (code === 0) resolve();
        else reject(new InstallError(npmFailure(output), { cause: new Error(output) }));
      });
    });
  }

  /** npm says each package that it has fetched, or has had in its cache. */
  private noteProgress(line: string): void {
    const name = /^npm http (?:fetch GET 200 .*\/|cache )((?:@[\w.-]+\/)?[\w.-]+?)(?:-\d[^/]*\.tgz|@\S*) /.exec(
      line,
    )?.[1];
    if (name === undefined || this.installing === null) return;
    const { packages_done: done, packages_total: total } = this.installing;
    this.installing = { ...this.installing, packages_done: Math.min(done + 1, total), line: name };
  }
}

const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

/** What a failure of npm means for a person; one sentence. */
function npmFailure(output: string): string {
  if (UNREACHABLE.test(output))
    return 'The package registry cannot be reached; connect this machine to the internet and try again.';
  if (/\bENOSPC\b|\bEDQUOT\b/.test(output)) return 'The disk is full; make room and try again.';
  if (/\bE(?:ACCES|PERM|ROFS)\b/.test(output))
    return "Parley's own folder cannot be written; install the model server as the user whom the folder belongs to.";
  return 'npm could not install the model server; the log of the gateway says why.';
}

function messageOf(error: unknown): string {
  if (error instanceof InstallError) return error.message;
  return npmFailure(DiskFullError.of(error) === null ? String(error) : 'ENOSPC');
}
