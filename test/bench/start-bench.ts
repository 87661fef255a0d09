import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts, temporaryFolder, waitUntil } from '@parley/shared/testing';
import { measurement, quantile, type Measurement } from './measurement';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '..', '..', '..');
const PM2 = path.join(ROOT, 'node_modules', 'pm2', 'bin', 'pm2');
const ROUNDS = 5;
/**
 * How long after the start memory is read a second time, in milliseconds. V8 gives back what loading left behind once a process has
 * little to do, which takes it up to half a minute.
 */
const REST_MS = 60_000;
const NAMES = ['pack-service', 'runtime-gateway', 'session-api', 'debrief-worker', 'ui'];
const PORT_VARIABLES = ['SIM_PACKS_PORT', 'SIM_GATEWAY_PORT', 'SIM_API_PORT', 'SIM_WORKER_PORT', 'SIM_UI_PORT'];

/** Five bare processes: a node:http server each that answers /readyz and says that it is ready. */
const BARE = `const { createServer } = require('node:http');
const server = createServer((_request, response) => response.end('{"status":"ready"}'));
server.listen(Number(process.env.BARE_PORT), '127.0.0.1', () => process.send && process.send('ready'));
process.on('SIGINT', () => server.close(() => process.exit(0)));
`;

interface Started {
  readonly seconds: number;
  /** Proportional set size of the five and the daemon, in bytes, at the moment at which all are healthy. */
  readonly pss: number;
  /** The same after REST_MS without a call; null where nobody waited. */
  readonly atRest: number | null;
}

function pssOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

async function startedUnderPm2(
  ecosystem: string,
  home: string,
  ports: number[],
  variables: Record<string, string>,
  rests: boolean,
): Promise<Started> {
  const environment = {
    ...process.env,
    ...variables,
    PM2_HOME: home,
    PM2_DISABLE_VERSION_CHECK: '1',
    PM2_DISCRETE_MODE: 'true',
    PM2_PROGRAMMATIC: 'true',
  };
  const pm2 = (...words: string[]) => run(process.execPath, [PM2, ...words], { env: environment, maxBuffer: 1e8 });
  try {
    const begun = performance.now();
    const starting = pm2('start', ecosystem);
    await Promise.all(
      ports.map((port) =>
        waitUntil(`port ${port} to be ready`, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, {
          intervalMs: 10,
        }),
      ),
    );
    const seconds = (performance.now() - begun) / 1000;
    await starting;
    const listed = JSON.parse((await pm2('jlist')).stdout) as { pid: number }[];
    const daemon = Number(readFileSync(path.join(home, 'pm2.pid'), 'utf8'));
    const pids = [...listed.map((one) => one.pid), daemon];
    const pssOfAll = (): number => pids.reduce((sum, pid) => sum + pssOf(pid), 0);
    const pss = pssOfAll();
    if (rests) await sleep(REST_MS);
    return { seconds, pss, atRest: rests ? pssOfAll() : null };
  } finally {
    await pm2('kill');
  }
}

async function ours(rests: boolean): Promise<Started> {
  const folder = temporaryFolder('start-bench');
  const ports = await freePorts(5);
  const variables = Object.fromEntries(PORT_VARIABLES.map((name, at) => [name, String(ports[at])]));
  const data = path.join(folder.path, 'data');
  // The first start makes the database; what is measured is the start of every other day.
  try {
    const start = (home: string, waits: boolean): Promise<Started> =>
      startedUnderPm2(
        path.join(ROOT, 'ecosystem.config.js'),
        path.join(folder.path, home),
        ports,
        { ...variables, SIM_DATA_DIR: data },
        waits,
      );
    await start('first', false);
    return await start('pm2', rests);
  } finally {
    folder.remove();
  }
}

/**
 * @param lean with the options of our own ecosystem file that keep PM2's monitoring out of a process; else as PM2 runs
 *   any program, which is what a person who types `pm2 start` gets.
 */
async function bare(lean: boolean, rests: boolean): Promise<Started> {
  const folder = temporaryFolder('start-bench');
  const ports = await freePorts(5);
  const script = path.join(folder.path, 'bare.js');
  const ecosystem = path.join(folder.path, 'ecosystem.config.js');
  writeFileSync(script, BARE);
  const apps = NAMES.map((name, at) => ({
    name,
    script,
    wait_ready: true,
    exec_mode: 'fork',
    ...(lean ? { out_file: '/dev/null', error_file: '/dev/null', pmx: false, vizion: false } : {}),
    env: { BARE_PORT: String(ports[at]), NODE_ENV: 'production' },
  }));
  writeFileSync(ecosystem, `module.exports = ${JSON.stringify({ apps })};`);
  try {
    return await startedUnderPm2(ecosystem, path.join(folder.path, 'pm2'), ports, {}, rests);
  } finally {
    folder.remove();
  }
}

/**
 * From `pm2 start` to all five healthy, and their memory with the daemon's, then and at rest, against five bare processes as the
 * same PM2 runs any program. The rows without goals compare with bare processes from which PM2's monitoring is kept away, as from ours.
 */
export async function startBench(): Promise<Measurement[]> {
  const a: Started[] = [];
  const b: Started[] = [];
  const c: Started[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isLast = round === ROUNDS - 1;
    a.push(await ours(isLast));
    b.push(await bare(false, isLast));
    c.push(await bare(true, isLast));
  }
  const median = (list: Started[], member: 'seconds' | 'pss'): number =>
    quantile(
      list.map((one) => one[member]),
      0.5,
    );
  const row = (name: string, member: 'seconds' | 'pss', other: Started[], goal: number | null): Measurement => {
    const [unit, scale] = member === 'pss' ? ['MB', 1e6] : ['s', 1];
    const limit = goal === null ? null : ({ kind: 'at_most', ratio: goal } as const);
    return measurement(
      name,
      unit as string,
      median(a, member) / Number(scale),
      median(other, member) / Number(scale),
      limit,
    );
  };
  const restOf = (list: Started[]): number => (list.at(-1)?.atRest ?? Number.NaN) / 1e6;
  const atRest = (name: string, other: Started[], goal: number | null): Measurement =>
    measurement(name, 'MB', restOf(a), restOf(other), goal === null ? null : { kind: 'at_most', ratio: goal });
  return [
    row('start to healthy, median', 'seconds', b, 2),
    row('memory of all (PSS) at the moment all are healthy, median', 'pss', b, 2),
    atRest('memory of all (PSS), a minute later', b, 2),
    row('start, against bare processes without monitoring', 'seconds', c, null),
    row('memory at that moment, against bare processes without monitoring', 'pss', c, null),
    atRest('memory a minute later, against bare processes without monitoring', c, null),
  ];
}
