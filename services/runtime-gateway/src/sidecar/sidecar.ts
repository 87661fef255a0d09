import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { ServiceError, type Sidecar as SidecarState } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import type { ModelFiles } from '../models/model-files';
import { startGuarded, type GuardedProcess, type ProcessExit } from './guarded-process';
import { HealthProbe } from './health-probe';
import { isListening } from './is-listening';
import { LeftOver } from './left-over';
import { machineNow, type MachineNow } from '../models/machine';
import { chooseModel, type SidecarModel } from './choose-model';
import { findCommand, LLAMA_SERVER } from './find-command';
import { judgeStart } from './model-fit';
import { endedTooSoon, installAdvice, readHelp, sidecarArguments, splitCommand } from './sidecar-command';
import { SidecarLog } from './sidecar-log';
import type { SidecarSettings } from './sidecar-settings';
import { SidecarWish } from './sidecar-wish';

const HEALTH_EVERY_MS = 100;
/** Waits between restarts, hardly any before the first; after the last the server counts as failed. */
const RESTART_MS = [100, 500, 2_000, 8_000, 16_000] as const;
/** After this long a server counts as stable, and the waits begin anew. */
const STABLE_MS = 60_000;

export interface SidecarOptions {
  readonly settings: SidecarSettings;
  readonly dataDir: string;
  readonly files: ModelFiles;
  /** Starts the model server that comes with Parley; null while that is not installed. */
  readonly bundledCommand?: () => string | null;
  /** What the machine has to give now; asked at each start. */
  readonly machine?: MachineNow;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Waits between restarts, in milliseconds. */
  readonly restartMs?: readonly number[];
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The local model server as a child of the gateway: started on request, restarted with growing waits when it crashes,
 * ended with the gateway however that ends.
 */
export class Sidecar {
  private status: SidecarState['status'] = 'stopped';
  private model: SidecarModel = { id: null, path: null, context: null };
  private child: GuardedProcess | null = null;
  private startedAt: Date | null = null;
  private lastExit: SidecarState['last_exit'] = null;
  private key: string | null = null;
  private crashes = 0;
  /** It was not ready in time and is being ended for that. */
  private gaveUp = false;
  /** What the binary says of its flags; asked once. */
  private help: { readonly command: string; readonly text: string } | null = null;
  private restartTimer: NodeJS.Timeout | null = null;
  /** Grows with every start and stop: what belongs to an earlier one then knows that it is over. */
  private generation = 0;
  private readonly output = new SidecarLog();
  private readonly leftOver: LeftOver;
  private readonly wish: SidecarWish;
  private readonly probe: HealthProbe;

  constructor(private readonly options: SidecarOptions) {
    this.leftOver = new LeftOver(options.dataDir);
    this.wish = new SidecarWish(options.dataDir);
    this.probe = new HealthProbe(options.settings.base_url);
  }

  /** Ends what an earlier gateway left behind. To be called once, before anything else. */
  sweep(): void {
    if (this.leftOver.sweep()) this.options.logger.warn('a model server that had outlived its gateway was ended');
  }

  get state(): SidecarState {
    return {
      status: this.status,
      pid: this.child?.pid ?? null,
      command: this.command ?? LLAMA_SERVER,
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
   * NOT_SUPPORTED_BY_RUNTIME when the configured address is another machine's, or there are several.
   */
  async start(modelId: string | null): Promise<SidecarState> {
    const { settings } = this.options;
    if (settings.is_pool)
      throw new ServiceError(
        'NOT_SUPPORTED_BY_RUNTIME',
        'SIM_LOCAL_SERVER_BASE_URL names several model servers; start each of them by hand, or name one address of this machine.',
      );
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
      this.model = await chooseModel(this.options.files, modelId, settings.model_id);
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
    this.wish.remember(modelId);
    await this.launch(generation);
    return this.state;
  }

  /** Starts the server again that ran when the gateway ended. */
  async resume(): Promise<void> {
    const wish = this.wish.read();
    if (wish === null) return;
    try {
      await this.start(wish.model_id);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the model server that ran before was not started again');
    }
  }

  /** Stops the server and resolves when it has ended. Without one nothing happens. */
  async stop(): Promise<SidecarState> {
    this.wish.forget();
    return this.end();
  }

  private async end(): Promise<SidecarState> {
    this.generation += 1;
    if (this.restartTimer !== null) clearTimeout(this.restartTimer);
    this.restartTimer = null;
    const { child } = this;
    child?.stop();
    if (child !== null) await child.ended;
    this.settle('stopped');
    return this.state;
  }

  /** Ends the server with the gateway: the next one starts it again. */
  async close(): Promise<void> {
    await this.end();
    await this.probe.close();
  }

  private async launch(generation: number): Promise<void> {
    const { settings, logger } = this.options;
    const { command } = this;
    const { cores, memory_available_bytes: free } = (this.options.machine ?? machineNow)();
    const { refusal, spare } = await judgeStart(this.model, settings, free);
    if (generation !== this.generation) return;
    if (refusal !== null) return this.fail(null, refusal);
    try {
      if (command === null) throw new Error('no model server was found');
      if (this.help?.command !== command) this.help = { command, text: await readHelp(command) };
    } catch {
      if (generation === this.generation) this.fail(null, installAdvice(command, process.platform));
      return;
    }
    if (generation !== this.generation) return;
    const { program, args } = splitCommand(command);
    const own = sidecarArguments(settings, this.help.text, {
      modelPath: this.model.path,
      key: randomBytes(24).toString('base64url'),
      trained_context: this.model.context,
      spare_talks: spare,
      machine: { cores, free_bytes: free },
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
      if (await this.probe.isHealthy()) {
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
    if (exit.failed !== null) return this.fail(exit, installAdvice(this.command, process.platform));
    if (this.gaveUp)
      return this.fail(exit, 'It was not ready in time; choose a smaller model or raise SIM_SIDECAR_START_TIMEOUT.');
    if (!mayRestart) return this.fail(exit, endedTooSoon(exit));
    if (wait === undefined) return this.fail(exit, 'It crashed again and again; its log says why.');
    this.crashes += 1;
    this.recordExit(exit, `It ended by itself and is started again in ${wait / 1000} seconds.`);
    this.settle('starting');
    this.restartTimer = setTimeout(() => void this.launch(generation), wait);
  }

  private get command(): string | null {
    return findCommand(this.options.settings, this.options.bundledCommand ?? (() => null));
  }

  private fail(exit: ProcessExit | null, message: string): void {
    // What failed for good is not tried again by the next gateway.
    this.wish.forget();
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
