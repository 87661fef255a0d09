import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSkippedWithout } from './describe-where';
import { freePorts } from './free-ports';
import { temporaryFolder } from './temporary-folder';
import { waitUntil } from './wait-until';

/** Where Debian's packages put each version. */
const VERSIONS = '/usr/lib/postgresql';
/** A file system in memory, where one is: durability is asked of the settings, and the disk would be most of a test's time. */
const MEMORY = '/dev/shm';
const USER = 'parley';
/** With what an address must escape, and to be looked for where no password may be. */
export const POSTGRES_PASSWORD = 'osprey/7:secret@word';

function binaries(): string | null {
  if (!existsSync(VERSIONS)) return null;
  const newest = readdirSync(VERSIONS)
    .filter((version) => existsSync(path.join(VERSIONS, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : path.join(VERSIONS, newest, 'bin');
}

/** PostgreSQL does not run as root; Debian's package makes a user for it. */
function owner(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres');
  return { uid: Number(uid), gid: Number(gid) };
}

/** A server that runs, whoever started it. */
export interface RunningPostgres {
  readonly port: number;
  /** Address of a database of it, with the password. */
  url(database: string): string;
  /** Makes an empty database, or a copy of another. @returns its address */
  createDatabase(options?: string): Promise<string>;
  /** Ends all connections to a database and removes it. @param url its address */
  dropDatabase(url: string): Promise<void>;
  /** Runs a statement as the superuser. @returns its rows */
  ask(statement: string, database?: string): Promise<Record<string, unknown>[]>;
}

export interface PostgresServer extends RunningPostgres {
  /** Where it keeps everything. */
  readonly folder: string;
  /** Ends it as an operator does, with all connections. */
  stop(): Promise<void>;
  /** As a crash: what was committed is found again by the next start. */
  kill(): Promise<void>;
  /** Starts it again, on the same data and port, with these settings. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** What it has written into its log. */
  log(): string;
  /** Ends it and removes its files. */
  remove(): Promise<void>;
}

/** The server of `startPostgresServer` that listens there. */
export function postgresAt(port: number): RunningPostgres {
  const url = (database: string): string =>
    `postgres://${USER}:${encodeURIComponent(POSTGRES_PASSWORD)}@127.0.0.1:${port}/${database}`;
  const ask = async (statement: string, database = 'postgres'): Promise<Record<string, unknown>[]> => {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    url,
    ask,
    async createDatabase(options = '') {
      const name = `talks_${randomBytes(6).toString('hex')}`;
      await ask(`create database ${name} ${options}`);
      return url(name);
    },
    async dropDatabase(address) {
      await ask(`drop database ${new URL(address).pathname.slice(1)} with (force)`);
    },
  };
}

/** A PostgreSQL server of the test's own in a temporary folder, on a free port of this machine. */
export async function startPostgresServer(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const bin = binaries();
  if (bin === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = temporaryFolder('postgres', existsSync(MEMORY) ? MEMORY : undefined);
  const as = owner();
  const data = path.join(folder.path, 'data');
  const passwordFile = path.join(folder.path, 'password');
  writeFileSync(passwordFile, POSTGRES_PASSWORD);
  if (as.uid !== undefined) for (const one of [folder.path, passwordFile]) chownSync(one, as.uid, as.gid);
  // An order of text that is not SQLite's, as most servers have one.
  const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
  const words = ['-D', data, '-U', USER, '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--no-sync'];
  const made = spawnSync(path.join(bin, 'initdb'), [...words, ...locale], {
    ...as,
    cwd: folder.path,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const [port = 0] = await freePorts(1);
  const running = postgresAt(port);
  let child: ChildProcess | null = null;
  let log = '';

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    // Only when the processes of its connections, which write to the same stream, are gone as well: the next start needs that.
    const closed = new Promise((resolve) => ending.once('close', resolve));
    ending.kill(signal);
    await closed;
  };
  // "Fast": connections are ended, what was committed is on disk.
  const stop = (): Promise<void> => end('SIGINT');
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const given = {
      unix_socket_directories: folder.path,
      listen_addresses: '127.0.0.1',
      port: String(port),
      ...settings,
      ...more,
    };
    const started = spawn(
      path.join(bin, 'postgres'),
      ['-D', data, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...as, cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    started.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    child = started;
    await waitUntil('PostgreSQL to answer', async () => {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`);
      return running.ask('select 1').then(
        () => true,
        () => false,
      );
    });
  };

  await start();
  return {
    ...running,
    folder: folder.path,
    stop,
    kill: () => end('SIGKILL'),
    start,
    log: () => log,
    async remove() {
      await stop();
      folder.remove();
    },
  };
}

/**
 * `describe` for suites that need PostgreSQL, which has one server. Without its binaries they are skipped and it says so; under
 * CI they run, and fail.
 */
export function describeWithPostgres(what: string, suite: (server: () => PostgresServer) => void): void {
  const line = `Skipped: ${what}. PostgreSQL is not installed: apt-get install postgresql`;
  (isSkippedWithout(binaries() !== null, line) ? describe.skip : describe)(what, () => {
    let server: PostgresServer | null = null;
    beforeAll(async () => {
      server = await startPostgresServer();
    });
    afterAll(() => server?.remove());
    suite(() => {
      if (server === null) throw new Error('the server is started before the first test');
      return server;
    });
  });
}
