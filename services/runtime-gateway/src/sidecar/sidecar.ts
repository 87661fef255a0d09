import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { availableParallelism, freemem } from 'node:os';
import path from 'node:path';
import { ServiceError, type Sidecar as SidecarState } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import type { ModelFiles } from '../models/model-files';
import { UpstreamClient } from '../upstream/upstream-client';
import { startGuarded, type GuardedProcess, type ProcessExit } from './guarded-process';
import { LeftOver } from './left-over';
import { installAdvice, readHelp, sidecarArguments, splitCommand } from './sidecar-command';
import { SidecarLog } from './sidecar-log';
import type { SidecarSettings } from './sidecar-settings';

const HEALTH_EVERY_MS = 250;
const HEALTH_MS = 2_000;
/** Waits between restarts; after the last the server counts as failed. */
const RESTART_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
/** After this long a server counts as stable, and the waits begin anew. */
const STABLE_MS = 60_000;

export interface SidecarOptions {
  readonly settings: SidecarSettings;
  readonly dataDir: string;
  readonly files: ModelFiles;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Waits between restarts, in milliseconds. */
  readonly restartMs?: readonly number[];
}

interface Model {
  /** As it was asked for, or found. */
  readonly id: string | null;
  readonly path: string | null;
  /** Tokens that it was made for; null where its file does not say. */
  readonly context: number | null;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The local model server as a child of the gateway: started on request, restarted with growing waits when it crashes,
 * ended with the gateway however that ends.
 */
export class Sidecar {
  private status: SidecarState['status'] = 'stopped';
  private model: Model = { id: null, path: null, context: null };
  private child: GuardedProcess | null = null;
  private startedAt: Date | null = null;
  private lastExit: SidecarState['last_exit'] = null;
  private key: string | null = null;
  private crashes = 0;
  /** It was not ready in time and is being ended for that. */
  private gaveUp = false;
  /** What the binary says of its flags; asked once. */
  private help: string | null = null;
  private restartTimer: NodeJS.Timeout | null = null;
  /** Grows with every start and stop: what belongs to an earlier one then knows that it is over. */
  private generation = 0;
  private readonly output = new SidecarLog();
  private readonly leftOver: LeftOver;
  private readonly probe: UpstreamClient;

  constructor(private readonly options: SidecarOptions) {
    this.leftOver = new LeftOver(options.dataDir);
    this.probe = new UpstreamClient({ baseUrl: options.settings.base_url, connectTimeoutMs: HEALTH_MS });
  }

  /** Ends what an earlier gateway left behind. To be called once, before anything else. */
  sweep(): void {
    if (this.leftOver.sweep()) this.options.logger.warn('a model server that had outlived its gateway was ended');
  }

  get state(): SidecarState {
    return {
      status: this.status,
      pid: this.child?.pid ?? null,
      command: this.options.settings.command,
      port: this.options.settings.port,
      model_id: this.model.id,
      started_at: this.startedAt?.toISOString() ?? null,
      last_exit: this.lastExit,
    };
  }

  get logLines(): readonly string[] {
    return this.output.lines;
  }

  /** The key of the server that runs now; null without one. */
  get serverKey(): string | null {
    return this.key;
  }

  /** File name of the installed model that is loaded; null without one. */
  get modelInUse(): string | null {
    const isActive = this.status === 'starting' || this.status === 'running';
    return isActive && this.model.path !== null ? path.basename(this.model.path) : null;
  }

  /**
   * Starts the server and answers at once: loading a model takes a while, and the state says when it is done or failed.
   * @throws ServiceError SIDECAR_RUNNING when it, or another program on its port, runs already; MODEL_NOT_FOUND;
   * NOT_SUPPORTED_BY_RUNTIME when the configured address is another machine's.
   */
  async start(modelId: string | null): Promise<SidecarState> {
    const { settings } = this.options;
    if (!LOOPBACK.includes(new URL(settings.base_url).hostname))
      throw new ServiceError(
        'NOT_SUPPORTED_BY_RUNTIME',
        'SIM_LOCAL_SERVER_BASE_URL names another machine; the model server there cannot be started from here.',
      );
    if (this.status === 'starting' || this.status === 'running')
      throw new ServiceError(
        'SIDECAR_RUNNING',
        'The local model server runs already; stop it first to load another model.',
      );
    const before = { status: this.status, model: this.model };
    const generation = (this.generation += 1);
    this.status = 'starting';
    try {
      this.model = await this.chooseModel(modelId);
      if (await isListening(settings.host, settings.port))
        throw new ServiceError(
          'SIDECAR_RUNNING',
          `Another program listens on port ${settings.port}: it may be a model server that was started by hand, which can be used as it is.`,
        );
    } catch (error) {
      if (generation === this.generation) {
        this.status = before.status;
        this.model = before.model;
      }
      throw error;
    }
    // Stopped while this looked around: the stop was asked for later, so it holds.
    if (generation !== this.generation) return this.state;
    this.crashes = 0;
    this.lastExit = null;
    await this.launch(generation);
    return this.state;
  }

  /** Stops the server and resolves when it has ended. Without one nothing happens. */
  async stop(): Promise<SidecarState> {
    this.generation += 1;
    if (this.restartTimer !== null) clearTimeout(this.restartTimer);
    this.restartTimer = null;
    const { child } = this;
    child?.stop();
    if (child !== null) await child.ended;
    this.settle('stopped');
    return this.state;
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    await this.stop();
    await this.probe.close();
  }

  private async chooseModel(wanted: string | null): Promise<Model> {
    const { files, settings } = this.options;
    const id = wanted ?? settings.model_id;
    const installed = await files.list();
    const found = installed.find((one) => one.id === id);
    if (found !== undefined) return { id: found.id, path: files.pathOf(found.id), context: found.context_length };
    if (wanted !== null)
      throw new ServiceError(
        'MODEL_NOT_FOUND',
        'No installed model has this name; list the models and pick one, or install it first.',
      );
    if (id !== null && path.isAbsolute(id)) return { id, path: id, context: null };
    const [first] = installed;
    return first === undefined
      ? { id, path: null, context: null }
      : { id: first.id, path: files.pathOf(first.id), context: first.context_length };
  }

  private async launch(generation: number): Promise<void> {
    const { settings, logger } = this.options;
    try {
      this.help ??= await readHelp(settings.command);
    } catch {
      if (generation === this.generation) this.fail(null, installAdvice(settings.command, process.platform));
      return;
    }
    const { help } = this;
    if (generation !== this.generation) return;
    const { program, args } = splitCommand(settings.command);
    const own = sidecarArguments(settings, help, {
      modelPath: this.model.path,
      key: randomBytes(24).toString('base64url'),
      trained_context: this.model.context,
      machine: { cores: availableParallelism(), free_bytes: freemem() },
    });
    this.key = own.key;
    this.gaveUp = false;
    this.status = 'starting';
    this.startedAt = this.options.now();
    this.output.note(`starting ${path.basename(program)}`);
    const child = startGuarded({
      program,
      args: [...args, ...own.args],
      environment: { ...settings.environment, ...own.environment },
      onOutput: (text) => this.output.add(text, own.key),
      onPid: (pid) => {
        this.leftOver.remember(pid);
        logger.info({ pid }, 'model server started');
      },
    });
    this.child = child;
    void child.ended.then((exit) => this.onEnd(generation, exit));
    void this.awaitHealth(generation, child);
  }

  /** Asks for its health until it is there, gone, or takes too long. */
  private async awaitHealth(generation: number, child: GuardedProcess): Promise<void> {
    const deadline = performance.now() + this.options.settings.start_timeout_ms;
    while (generation === this.generation && this.child === child && this.status === 'starting') {
      if (await this.isHealthy()) {
        if (generation !== this.generation || this.child !== child) return;
        this.status = 'running';
        this.output.note('ready');
        return;
      }
      if (performance.now() > deadline) {
        this.output.note('gave up waiting for its health');
        this.gaveUp = true;
        child.stop();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
    }
  }

  private async isHealthy(): Promise<boolean> {
    try {
      return (await this.probe.readWhole({ method: 'GET', path: '/health', quietMs: HEALTH_MS })).status === 200;
    } catch {
      return false;
    }
  }

  private onEnd(generation: number, exit: ProcessExit): void {
    this.leftOver.forget();
    if (generation !== this.generation) return;
    const wasRunning = this.status === 'running';
    const ranMs = this.options.now().getTime() - (this.startedAt?.getTime() ?? 0);
    const waits = this.options.restartMs ?? RESTART_MS;
    if (wasRunning && ranMs > STABLE_MS) this.crashes = 0;
    const wait = waits[this.crashes];
    const mayRestart = wasRunning || this.crashes > 0;
    this.options.logger.warn({ exit_code: exit.code, signal: exit.signal }, 'model server ended by itself');
    if (exit.failed !== null) return this.fail(exit, installAdvice(this.options.settings.command, process.platform));
    if (this.gaveUp)
      return this.fail(exit, 'It was not ready in time; choose a smaller model or raise SIM_SIDECAR_START_TIMEOUT.');
    if (!mayRestart) return this.fail(exit, startMessage(exit));
    if (wait === undefined) return this.fail(exit, 'It crashed again and again; its log says why.');
    this.crashes += 1;
    this.recordExit(exit, `It ended by itself and is started again in ${wait / 1000} seconds.`);
    this.settle('starting');
    this.restartTimer = setTimeout(() => void this.launch(generation), wait);
  }

  private fail(exit: ProcessExit | null, message: string): void {
    this.recordExit(exit, message);
    this.output.note(message);
    this.settle('failed');
  }

  private recordExit(exit: ProcessExit | null, message: string): void {
    this.lastExit = {
      code: exit?.code ?? null,
      signal: exit?.signal ?? null,
      at: this.options.now().toISOString(),
      message,
    };
  }

  private settle(status: SidecarState['status']): void {
    this.status = status;
    this.child = null;
    this.key = null;
    if (status !== 'starting') this.startedAt = null;
  }
}

function startMessage(exit: ProcessExit): string {
  const how = exit.signal === null ? `with code ${exit.code ?? 'unknown'}` : `by ${exit.signal}`;
  return `It ended ${how} before it was ready; its log says why. Often the model does not fit into memory: choose a smaller one.`;
}

/** Whether anything accepts connections there. */
function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}
