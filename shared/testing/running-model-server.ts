import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isSkippedWithout } from './describe-where';
import { freePorts } from './free-ports';
import { waitUntil } from './wait-until';

const FOLDER = path.resolve(__dirname, '..', '..', 'services', 'model-server');

/** What npm writes last when it has installed the packages of the model server. */
const INSTALLED = path.join(FOLDER, 'node_modules', '.package-lock.json');

/** The bundle of the model server that comes with Parley. */
export const MODEL_SERVER_PROGRAM = path.join(FOLDER, 'dist', 'service.cjs');

/**
 * `describe` for suites that need the model server's packages. Without them they are skipped and it says so; under CI they
 * run, and fail.
 */
export function describeWithModelServer(what: string, suite: () => void): void {
  const isSkipped = isSkippedWithout(
    existsSync(INSTALLED),
    `Skipped: ${what}. The model server is not installed: npm ci --prefix services/model-server --ignore-scripts`,
  );
  (isSkipped ? describe.skip : describe)(what, suite);
}

export interface RunningModelServer {
  readonly url: string;
  readonly pid: number;
  /** All that it has printed. */
  output(): string;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Asks it to end and waits for that. */
  stop(): Promise<void>;
}

export interface ModelServerStart {
  /** The GGUF file. */
  readonly file: string;
  /** Further arguments. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the program on a free port; it loads its model afterwards. */
export async function startModelServer({
  file,
  args = [],
  environment = {},
}: ModelServerStart): Promise<RunningModelServer> {
  const [port = 0] = await freePorts(1);
  const words = [MODEL_SERVER_PROGRAM, '-m', file, '--port', String(port), ...args];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Waits until the model is loaded. */
export function loaded({ url, output }: RunningModelServer): Promise<boolean> {
  return waitUntil(
    'the model server to load its model',
    async () => {
      if (output().includes('could not be loaded')) return false;
      return (await fetch(`${url}/health`)).status === 200;
    },
    { timeoutMs: 60_000 },
  );
}
