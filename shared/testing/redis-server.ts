import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { isSkippedWithout } from './describe-where';
import { freePorts } from './free-ports';
import { startPostgresServer, type PostgresServer } from './postgres-server';
import { temporaryFolder } from './temporary-folder';
import { waitUntil } from './wait-until';

const PROGRAM = 'redis-server';
const isInstalled = (): boolean => spawnSync(PROGRAM, ['--version']).status === 0;

const NO_DISK: Readonly<Record<string, string>> = { save: '', appendonly: 'no' };

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Where it would write, if it did. */
  readonly folder: string;
  /** Sends a command as words, and answers what comes back as it is. */
  ask(...words: string[]): Promise<string>;
  /** As a crash: what it held is gone. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Starts it again, with these settings. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** One exchange in the protocol's plain form: enough for a test that looks inside. */
async function exchange(port: number, words: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
    socket.write(`*${words.length}\r\n${parts}*1\r\n$4\r\nPING\r\n`);
    let answer = '';
    for await (const data of socket.setEncoding('latin1')) {
      answer += String(data);
      if (answer.endsWith('+PONG\r\n')) break;
    }
    return answer.slice(0, -'+PONG\r\n'.length);
  } finally {
    socket.destroy();
  }
}

/** A Redis of the test's own in a temporary folder, on a free port of this machine, which writes to no disk unless it is told to. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = temporaryFolder('redis');
  const [port = 0] = await freePorts(1);
  let child: ChildProcess | null = null;
  let told = '';
  const kill = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const closed = once(ending, 'exit');
    ending.kill('SIGKILL');
    await closed;
  };
  const start = async (settings: Readonly<Record<string, string>> = NO_DISK): Promise<void> => {
    const given = { bind: '127.0.0.1', port: String(port), dir: folder.path, ...settings };
    const words = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    const started = spawn(PROGRAM, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    started.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
    child = started;
    await waitUntil('Redis to answer', async () => {
      if (started.exitCode !== null) throw new Error(`Redis ended: ${told}`);
      return (await exchange(port, ['PING'])) === '+PONG\r\n';
    });
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder: folder.path,
    ask: (...words) => exchange(port, words),
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    start,
    async remove() {
      await kill();
      folder.remove();
    },
  };
}

/** Both servers that several session-apis share. */
export interface SharedServers {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
}

/** `describe` for suites that need PostgreSQL and Redis, with one of each. Without them they are skipped; under CI they run, and fail. */
export function describeScaled(what: string, suite: (servers: () => SharedServers) => void): void {
  const line = `Skipped: ${what}. Redis is not installed: apt-get install redis-server`;
  (isSkippedWithout(isInstalled(), line) ? describe.skip : describe)(what, () => {
    let servers: SharedServers | null = null;
    beforeAll(async () => {
      servers = { postgres: await startPostgresServer(), redis: await startRedisServer() };
    });
    afterAll(() => Promise.all([servers?.postgres.remove(), servers?.redis.remove()]));
    suite(() => {
      if (servers === null) throw new Error('the servers are started before the first test');
      return servers;
    });
  });
}
