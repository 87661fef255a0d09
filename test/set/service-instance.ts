import { PROBE_PATHS, type ServiceName } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { exchange } from './http-exchange';
import { launch, type LaunchOptions, type ManagedProcess, type ProcessEnd } from './managed-process';

const STOP_LIMIT_MS = 20_000;

export interface InstanceOptions extends LaunchOptions {
  readonly service: ServiceName;
  readonly port: number;
  /** What a call needs to be answered, beside its own headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A process of Parley at a port of its own, and the ones that follow it there. */
export class ServiceInstance {
  private latest: ManagedProcess | null = null;

  constructor(private readonly options: InstanceOptions) {}

  get port(): number {
    return this.options.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The one that was started last; null before the first. */
  get started(): ManagedProcess | null {
    return this.latest;
  }

  /** @throws Error when none was started. */
  get process(): ManagedProcess {
    if (this.latest === null) throw new Error(`${this.options.service} was not started`);
    return this.latest;
  }

  /** Starts it while it does not run, and waits until it is ready. @throws Error when it ends before that. */
  async start(): Promise<void> {
    const { service, headers } = this.options;
    const one = launch(service, this.options);
    this.latest = one;
    await waitUntil(`${service} to be ready`, async () => {
      if (one.end() !== null) return true;
      const { status, text } = await exchange(this.url + PROBE_PATHS.readyz, { method: 'GET', headers });
      // Another program may have taken the port.
      return status === 200 && (JSON.parse(text) as { pid?: number }).pid === one.pid;
    });
    const end = one.end();
    if (end !== null) throw new Error(`${service} ended (${end.code ?? end.signal}) at its start: ${one.output()}`);
  }

  /** Sends a signal that ends it, and waits until it is gone. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<ProcessEnd> {
    this.process.kill(signal);
    return this.process.ended;
  }

  /** As kill, but not for ever. @returns whether it had to be killed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<boolean> {
    if (this.latest === null) return false;
    let isStubborn = false;
    const limit = setTimeout(() => {
      isStubborn = true;
      this.process.kill('SIGKILL');
    }, STOP_LIMIT_MS);
    await this.kill(signal);
    clearTimeout(limit);
    return isStubborn;
  }
}
