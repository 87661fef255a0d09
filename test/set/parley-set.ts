import path from 'node:path';
import { INTERNAL_KEY_HEADER, type ServiceName } from '@parley/shared/contracts';
import { EXIT_CONFIGURATION, PORT_VARIABLES } from '@parley/shared/service';
import { freePorts, temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { startInTurnProxy, type InTurnProxy } from './in-turn-proxy';
import type { LaunchOptions, ManagedProcess, ProcessEnd } from './managed-process';
import { ServiceInstance } from './service-instance';
import { SetClient } from './set-client';
import { profileForSet, type SetProfile } from './set-profile';

const ALL = Object.keys(PORT_VARIABLES) as ServiceName[];

export interface ParleySetOptions {
  /** SIM_* variables beside those that the set gives. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where generations come from: the real gateway with its fake runtime (default), or this address in its place. */
  readonly gatewayUrl?: string;
  /** The page's process too; most tests have no use for it. */
  readonly withUi?: boolean;
  /** How each process is started, for tests that watch it from outside. */
  readonly launchOptions?: (service: ServiceName) => Pick<LaunchOptions, 'wrapper' | 'nodeWords'>;
}

/**
 * The processes of Parley for real, on free ports, with a temporary data folder. On the profile with two session-apis, what
 * others know as its address is a proxy that asks them in turn, and what is done to session-api is done to both.
 */
export class ParleySet extends SetClient {
  /** One of each kind, and every session-api. */
  private readonly instances: ReadonlyMap<ServiceName, readonly ServiceInstance[]>;
  private proxy: InTurnProxy | null = null;

  private constructor(
    private readonly options: ParleySetOptions,
    readonly folder: TemporaryFolder,
    private readonly profile: SetProfile,
    private readonly ports: Readonly<Record<ServiceName, number>>,
    /** Ports of the session-apis behind the proxy; none where there is only one. */
    private readonly apiPorts: readonly number[],
  ) {
    super();
    this.instances = new Map(
      this.members().map((service) => [
        service,
        this.portsOf(service).map((port, at) => this.instance(service, port, at)),
      ]),
    );
  }

  /** Starts all processes and waits until each is ready. */
  static async start(options: ParleySetOptions = {}): Promise<ParleySet> {
    for (let attempt = 1; ; attempt += 1) {
      const profile = await profileForSet();
      const ports = await freePorts(ALL.length + (profile.instances > 1 ? profile.instances : 0));
      const set = new ParleySet(
        options,
        temporaryFolder('set'),
        profile,
        Object.fromEntries(ALL.map((name, at) => [name, ports[at]])) as Record<ServiceName, number>,
        ports.slice(ALL.length),
      );
      try {
        await set.startProxy();
        await Promise.all([...set.instances.keys()].map((service) => set.startProcess(service)));
        return set;
      } catch (error) {
        const portWasTaken =
          (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ||
          set.all().some(({ started }) => started?.end()?.code === EXIT_CONFIGURATION);
        await set.stop('SIGKILL');
        if (!portWasTaken || attempt === 3) throw error;
      }
    }
  }

  private members(): ServiceName[] {
    return ALL.filter((service) => {
      if (service === 'ui') return this.options.withUi === true;
      return service !== 'runtime_gateway' || this.options.gatewayUrl === undefined;
    });
  }

  private instance(service: ServiceName, port: number, at: number): ServiceInstance {
    const environment = {
      ...this.environment(),
      [PORT_VARIABLES[service]]: String(port),
      // Within the set's, so that a test that looks through its files looks through these as well.
      ...(at === 0 ? {} : { SIM_DATA_DIR: path.join(this.folder.path, `session-api-${port}`) }),
    };
    const launchOptions = this.options.launchOptions?.(service);
    return new ServiceInstance({ service, port, environment, headers: this.keyHeader, ...launchOptions });
  }

  private all(): ServiceInstance[] {
    return [...this.instances.values()].flat();
  }

  get keyHeader(): Readonly<Record<string, string>> {
    const key = this.key;
    return key === null ? {} : { [INTERNAL_KEY_HEADER]: key };
  }

  protected isKeyAddedFor(service: ServiceName): boolean {
    return service === 'session_api' && this.proxy !== null;
  }

  private get key(): string | null {
    return this.options.environment?.['SIM_INTERNAL_KEY'] ?? this.profile.environment['SIM_INTERNAL_KEY'] ?? null;
  }

  private async startProxy(): Promise<void> {
    if (this.apiPorts.length === 0) return;
    const targets = this.apiPorts.map((port) => `http://127.0.0.1:${port}`);
    this.proxy = await startInTurnProxy(this.ports.session_api, targets, this.key ?? '');
  }

  private environment(): Record<string, string> {
    return {
      NODE_ENV: 'test',
      // Suites call every operation, also the one that installs the model server: it fetches nothing then.
      npm_config_offline: 'true',
      SIM_DATA_DIR: this.folder.path,
      ...this.profile.environment,
      ...Object.fromEntries(ALL.map((service) => [PORT_VARIABLES[service], String(this.ports[service])])),
      ...(this.options.gatewayUrl === undefined ? {} : { SIM_GATEWAY_URL: this.options.gatewayUrl }),
      ...this.options.environment,
    };
  }

  /** Address of the database; null where it is a file of the folder. */
  get databaseUrl(): string | null {
    return this.options.environment?.['SIM_DATABASE_URL'] ?? this.profile.environment['SIM_DATABASE_URL'] ?? null;
  }

  portOf(service: ServiceName): number {
    return this.ports[service];
  }

  urlOf(service: ServiceName): string {
    return `http://127.0.0.1:${this.ports[service]}`;
  }

  /** Base addresses of all processes. */
  get urls(): Readonly<Record<ServiceName, string>> {
    return Object.fromEntries(ALL.map((service) => [service, this.urlOf(service)])) as Record<ServiceName, string>;
  }

  /** One of each kind; of session-api the first. */
  get processes(): ReadonlyMap<ServiceName, ManagedProcess> {
    return new Map(
      [...this.instances].flatMap(([service, [one]]) => (one === undefined ? [] : [[service, one.process]])),
    );
  }

  /** What runs of a service: one, or the two session-apis. */
  instancesOf(service: ServiceName): readonly ManagedProcess[] {
    return this.membersOf(service).map((one) => one.process);
  }

  private membersOf(service: ServiceName): readonly ServiceInstance[] {
    const found = this.instances.get(service);
    if (found === undefined) throw new Error(`${service} is no member of this set`);
    return found;
  }

  /** Ports that the instances of a service themselves listen on. */
  portsOf(service: ServiceName): readonly number[] {
    return service === 'session_api' && this.apiPorts.length > 0 ? this.apiPorts : [this.ports[service]];
  }

  /** Starts one process that is not running and waits until it is ready. */
  async startProcess(service: ServiceName): Promise<void> {
    await Promise.all(this.membersOf(service).map((one) => one.start()));
  }

  /** Ends a process and waits until it is gone. */
  async kill(service: ServiceName, signal: NodeJS.Signals = 'SIGKILL'): Promise<ProcessEnd> {
    const [end] = await Promise.all(this.membersOf(service).map((one) => one.kill(signal)));
    if (end === undefined) throw new Error(`${service} has no instance`);
    return end;
  }

  /** Stops a process the usual way, when it still runs, and starts it again with the same ports and data. */
  async restart(service: ServiceName): Promise<void> {
    await this.kill(service, 'SIGTERM');
    await this.startProcess(service);
  }

  /** Ends every process by its own id and removes the data folder. @throws Error when one did not stop by itself. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.closeSockets();
    const stubborn = await Promise.all(
      this.all().map(async (one) => ((await one.stop(signal)) ? [one.process.service] : [])),
    );
    this.closeConnections();
    await this.proxy?.close();
    this.folder.remove();
    await this.profile.remove();
    if (stubborn.flat().length > 0) throw new Error(`did not stop by themselves: ${stubborn.flat().join(', ')}`);
  }
}

/** Starts all processes and waits until each is ready. */
export const startParleySet = (options: ParleySetOptions = {}): Promise<ParleySet> => ParleySet.start(options);
