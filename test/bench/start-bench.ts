import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePorts, temporaryFolder, waitUntil } from '@parley/shared/testing';
import { measurement, quantile, type Measurement } from './measurement';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '..', '..', '..');
const PM2 = path.join(ROOT, 'node_modules', 'pm2', 'bin', 'pm2');
const ROUNDS = 5;
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
  /** Proportional set size of the five and the daemon, in bytes. */
  readonly pss: number;
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
    return { seconds, pss: pids.reduce((sum, pid) => sum + pssOf(pid), 0) };
  } finally {
    await pm2('kill');
  }
}

async function ours(): Promise<Started> {
  const folder = temporaryFolder('start-bench');
  const ports = await freePorts(5);
  const variables = Object.fromEntries(PORT_VARIABLES.map((name, at) => [name, String(ports[at])]));
  const data = path.join(folder.path, 'data');
  // The first start makes the database; what is measured is the start of every other day.
  try {
    await startedUnderPm2(path.join(ROOT, 'ecosystem.config.js'), path.join(folder.path, 'first'), ports, {
      ...variables,
      SIM_DATA_DIR: data,
    });
    return await startedUnderPm2(path.join(ROOT, 'ecosystem.config.js'), path.join(folder.path, 'pm2'), ports, {
      ...variables,
      SIM_DATA_DIR: data,
    });
  } finally {
    folder.remove();
  }
}

/**
 * @param lean with the options of our own ecosystem file that keep PM2's monitoring out of a process; else as PM2 runs
 *   any program, which is what a person who types `pm2 start` gets.
 */
async function bare(lean: boolean): Promise<Started> {
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
    return await startedUnderPm2(ecosystem, path.join(folder.path, 'pm2'), ports, {});
  } finally {
    folder.remove();
  }
}

/**
 * From `pm2 start` to all five healthy, and their memory with the daemon's, against five bare processes as the same PM2 runs
 * any program. The rows without goals compare with bare processes from which PM2's monitoring is kept away, as from ours.
 */
export async function startBench(): Promise<Measurement[]> {
  const a: Started[] = [];
  const b: Started[] = [];
  const c: Started[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    a.push(await ours());
    b.push(await bare(false));
    c.push(await bare(true));
  }
  const median = (list: Started[], member: keyof Started): number =>
    quantile(
      list.map((one) => one[member]),
      0.5,
    );
  const row = (name: string, member: keyof Started, other: Started[], goal: number | null): Measurement => {
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
  return [
    row('start to healthy, median', 'seconds', b, 2),
    row('memory of all (PSS), median', 'pss', b, 2),
    row('start, against bare processes without monitoring', 'seconds', c, null),
    row('memory, against bare processes without monitoring', 'pss', c, null),
  ];
}
