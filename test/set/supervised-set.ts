import { spawn } from 'node:child_process';
import path from 'node:path';
import { freePorts, temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { PROJECT_ROOT } from './managed-process';

export const PORT_VARIABLES = [
  'SIM_UI_PORT',
  'SIM_API_PORT',
  'SIM_PACKS_PORT',
  'SIM_GATEWAY_PORT',
  'SIM_WORKER_PORT',
] as const;
export const PROCESSES = ['debrief-worker', 'pack-service', 'runtime-gateway', 'session-api', 'ui'];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface StatusAnswer {
  readonly running: boolean;
  readonly supervisor: 'running' | 'hung' | 'none';
  readonly processes: {
    name: string;
    /** Which one of several of that name. */
    instance?: number;
    status: string;
    ready: boolean;
    port: number;
    pid: number | null;
    restarts: number;
    hung: boolean;
  }[];
}

/** The commands as a person types them, for a set with a folder and ports of its own. */
export class SupervisedSet {
  /** Variables that every command gets. */
  settings: Readonly<Record<string, string>> = {};

  private constructor(
    readonly folder: TemporaryFolder,
    readonly ports: Readonly<Record<(typeof PORT_VARIABLES)[number], number>>,
    /** The checkout whose commands are run. */
    private readonly root: string,
  ) {}

  static async forNewSet(root = PROJECT_ROOT): Promise<SupervisedSet> {
    const numbers = await freePorts(PORT_VARIABLES.length);
    const ports = Object.fromEntries(PORT_VARIABLES.map((name, index) => [name, numbers[index]]));
    return new SupervisedSet(temporaryFolder('supervision'), ports as SupervisedSet['ports'], root);
  }

  get dataDir(): string {
    return path.join(this.folder.path, 'data');
  }

  run(words: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SIM_|PM2_|npm_|NODE_ENV$|JEST_)/.test(name));
    const child = spawn(process.execPath, words, {
      cwd: this.root,
      env: {
        ...Object.fromEntries(inherited),
        ...Object.fromEntries(Object.entries(this.ports).map(([name, port]) => [name, String(port)])),
        SIM_DATA_DIR: this.dataDir,
        ...this.settings,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  start = (settings?: Record<string, string>): Promise<Ended> =>
    this.run(['scripts/start.cjs', '--as-built'], settings);
  stop = (settings?: Record<string, string>): Promise<Ended> => this.run(['scripts/stop.cjs'], settings);

  async status(): Promise<StatusAnswer & { code: number | null }> {
    const { code, stdout } = await this.run(['scripts/status.cjs', '--json']);
    return { code, ...(JSON.parse(stdout) as StatusAnswer) };
  }

  /** Address of session-api. */
  get url(): string {
    return `http://127.0.0.1:${this.ports.SIM_API_PORT}`;
  }

  async pids(): Promise<Record<string, number | null>> {
    const { processes } = await this.status();
    return Object.fromEntries(processes.map(({ name, pid }) => [name, pid]));
  }

  async answeringPorts(): Promise<number[]> {
    const answers = await Promise.all(
      Object.values(this.ports).map(async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
        await answer?.text();
        return answer === null ? [] : [port];
      }),
    );
    return answers.flat();
  }

  async end(): Promise<void> {
    await this.stop();
    this.folder.remove();
  }
}
