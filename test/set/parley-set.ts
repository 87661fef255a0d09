import path from 'node:path';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { errorOfAnswer, pathOf } from '@parley/shared/client';
import {
  INTERNAL_KEY_HEADER,
  Problem,
  ROUTES,
  type OperationName,
  type RouteAnswer,
  type RouteCall,
  type RouteShape,
  type Routes,
  type ServiceName,
} from '@parley/shared/contracts';
import { EXIT_CONFIGURATION, PORT_VARIABLES } from '@parley/shared/service';
import {
  freePorts,
  recordSocket,
  temporaryFolder,
  waitUntil,
  type SocketRecorder,
  type TemporaryFolder,
} from '@parley/shared/testing';
import { startInTurnProxy, type InTurnProxy } from './in-turn-proxy';
import { launch, type LaunchOptions, type ManagedProcess, type ProcessEnd } from './managed-process';
import { profileForSet, type SetProfile } from './set-profile';

const ALL = Object.keys(PORT_VARIABLES) as ServiceName[];
const STOP_LIMIT_MS = 20_000;

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

export interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: T;
  readonly text: string;
}

export interface CallExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another process than session-api. */
  readonly service?: ServiceName;
  /** Another base address than the loopback one. */
  readonly baseUrl?: string;
}

interface Exchange {
  readonly agent: Agent;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One exchange over node's own client: it sends every header as it is told to, Host too. */
function exchange(
  url: string,
  options: Exchange,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, rest, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (data: Buffer) => pieces.push(data));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

/**
 * The processes of Parley for real, on free ports, with a temporary data folder. On the profile with two session-apis, what
 * others know as its address is a proxy that asks them in turn, and what is done to session-api is done to both.
 */
export class ParleySet {
  /** One of each kind; of session-api the first. */
  readonly processes = new Map<ServiceName, ManagedProcess>();
  readonly agent = new Agent({ keepAlive: true });
  private readonly sockets: SocketRecorder[] = [];
  /** The other session-apis. */
  private others: ManagedProcess[] = [];
  private proxy: InTurnProxy | null = null;

  private constructor(
    private readonly options: ParleySetOptions,
    readonly folder: TemporaryFolder,
    private readonly profile: SetProfile,
    private readonly ports: Readonly<Record<ServiceName, number>>,
    /** Ports of the session-apis behind the proxy; none where there is only one. */
    private readonly apiPorts: readonly number[],
  ) {}

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
        await Promise.all(set.members().map((service) => set.startProcess(service)));
        return set;
      } catch (error) {
        const portWasTaken =
          (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ||
          set.running().some((one) => one.end()?.code === EXIT_CONFIGURATION);
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

  private running(): ManagedProcess[] {
    return [...this.processes.values(), ...this.others];
  }

  /** The header by which processes of the set know each other, if they do: those behind session-api answer nobody without it. */
  get keyHeader(): Readonly<Record<string, string>> {
    const key = this.key;
    return key === null ? {} : { [INTERNAL_KEY_HEADER]: key };
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

  /** session-api. */
  get url(): string {
    return this.urlOf('session_api');
  }

  /** What runs of a service: one, or the two session-apis. */
  instancesOf(service: ServiceName): readonly ManagedProcess[] {
    return [this.process(service), ...(service === 'session_api' ? this.others : [])];
  }

  /** Ports that the instances of a service themselves listen on. */
  portsOf(service: ServiceName): readonly number[] {
    return service === 'session_api' && this.apiPorts.length > 0 ? this.apiPorts : [this.ports[service]];
  }

  /** Starts one process that is not running and waits until it is ready. */
  async startProcess(service: ServiceName): Promise<void> {
    const [first = 0, ...more] = this.portsOf(service);
    const one = this.launch(service, first);
    this.processes.set(service, one);
    const others = more.map((port) => this.launch(service, port, { SIM_DATA_DIR: this.folderOf(port) }));
    if (service === 'session_api') this.others = others;
    await Promise.all([one, ...others].map((instance, at) => this.ready(service, instance, [first, ...more][at] ?? 0)));
  }

  /** Within the set's, so that a test that looks through its files looks through these as well. */
  private folderOf(port: number): string {
    return path.join(this.folder.path, `session-api-${port}`);
  }

  private launch(service: ServiceName, port: number, more: Readonly<Record<string, string>> = {}): ManagedProcess {
    const environment = { ...this.environment(), [PORT_VARIABLES[service]]: String(port), ...more };
    return launch(service, { environment, ...this.options.launchOptions?.(service) });
  }

  private async ready(service: ServiceName, one: ManagedProcess, port: number): Promise<void> {
    await waitUntil(`${service} to be ready`, async () => {
      const end = one.end();
      if (end !== null) return one;
      const extras = { baseUrl: `http://127.0.0.1:${port}`, headers: this.keyHeader };
      const answer = await this.call<{ pid?: number }>('GET', '/readyz', undefined, extras);
      return answer.status === 200 && answer.body.pid === one.pid && one;
    });
    const end = one.end();
    if (end !== null) throw new Error(`${service} ended (${end.code ?? end.signal}) at its start: ${one.output()}`);
  }

  private process(service: ServiceName): ManagedProcess {
    const one = this.processes.get(service);
    if (one === undefined) throw new Error(`${service} is no member of this set`);
    return one;
  }

  /** Ends a process and waits until it is gone. */
  async kill(service: ServiceName, signal: NodeJS.Signals = 'SIGKILL'): Promise<ProcessEnd> {
    const ends = await Promise.all(
      this.instancesOf(service).map((one) => {
        one.kill(signal);
        return one.ended;
      }),
    );
    return ends[0] ?? (await this.process(service).ended);
  }

  /** Stops a process the usual way, when it still runs, and starts it again with the same ports and data. */
  async restart(service: ServiceName): Promise<void> {
    await this.kill(service, 'SIGTERM');
    await this.startProcess(service);
  }

  /** Calls an operation of the route table and answers its parsed body. @throws ServiceError as the operation answers. */
  async ask<K extends OperationName>(operation: K, call: RouteCall<Routes[K]>): Promise<RouteAnswer<Routes[K]>> {
    const route: RouteShape = ROUTES[operation];
    const given = call as { params?: object; query?: Record<string, string | number>; body?: unknown } & CallExtras;
    const query = new URLSearchParams(Object.entries(given.query ?? {}).map(([name, value]) => [name, String(value)]));
    const path = `${pathOf(route, { ...given.params })}${query.size > 0 ? `?${query.toString()}` : ''}`;
    const reply = await this.call(route.method, path, given.body, given.headers ? { headers: given.headers } : {});
    if (reply.status >= 400) throw errorOfAnswer(route.service, reply.status, reply.text);
    return route.responses[reply.status]?.schema?.parse(reply.body) as RouteAnswer<Routes[K]>;
  }

  /**
   * One HTTP request as it is: a string or Buffer is sent untouched, anything else as JSON. It carries the set's key, if any;
   * where a proxy asks session-apis in turn, that one adds it.
   */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    extras: CallExtras = {},
  ): Promise<Reply<T>> {
    const service = extras.service ?? 'session_api';
    const base = extras.baseUrl ?? this.urlOf(service);
    const isAddedByProxy = service === 'session_api' && this.proxy !== null;
    const asIs = typeof body === 'string' || body instanceof Buffer;
    const answer = await exchange(`${base}${path}`, {
      agent: this.agent,
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isAddedByProxy ? {} : this.keyHeader),
        ...extras.headers,
      },
      ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
    });
    const isJson = /[/+]json/.test(answer.headers['content-type'] ?? '');
    return { ...answer, body: (isJson && answer.text !== '' ? JSON.parse(answer.text) : {}) as T };
  }

  /** A request that must fail: checks the whole problem document and answers it. */
  async problem(method: string, path: string, body?: unknown, extras: CallExtras = {}): Promise<Problem> {
    const reply = await this.call(method, path, body, extras);
    expect(String(reply.headers['content-type'])).toMatch(/^application\/problem\+json/);
    const problem = Problem.strict().parse(reply.body);
    expect(problem.status).toBe(reply.status);
    expect(problem.request_id).toBe(reply.headers['x-request-id']);
    return problem;
  }

  /** A WebSocket of a session; closed with the set. @param port of one of `portsOf('session_api')`, past the proxy */
  async socket(
    sessionId: string,
    { port, ...options }: NonNullable<Parameters<typeof recordSocket>[2]> & { readonly port?: number } = {},
  ): Promise<SocketRecorder> {
    const url = port === undefined ? this.url : `http://127.0.0.1:${port}`;
    const headers = { ...(port === undefined ? {} : this.keyHeader), ...options.headers };
    const recorder = await recordSocket(url, sessionId, { ...options, headers });
    this.sockets.push(recorder);
    return recorder;
  }

  /** Ends every process by its own id and removes the data folder. @throws Error when one did not stop by itself. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    for (const socket of this.sockets) socket.socket.terminate();
    const stubborn: string[] = [];
    await Promise.all(
      this.running().map(async (one) => {
        one.kill(signal);
        const deadline = setTimeout(() => {
          stubborn.push(one.service);
          one.kill('SIGKILL');
        }, STOP_LIMIT_MS);
        await one.ended;
        clearTimeout(deadline);
      }),
    );
    this.agent.destroy();
    await this.proxy?.close();
    this.folder.remove();
    await this.profile.remove();
    if (stubborn.length > 0) throw new Error(`did not stop by themselves: ${stubborn.join(', ')}`);
  }
}

/** Starts all processes and waits until each is ready. */
export const startParleySet = (options: ParleySetOptions = {}): Promise<ParleySet> => ParleySet.start(options);
