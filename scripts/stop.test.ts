import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { readRunRecords } from '@parley/shared/process-identity';
import { freePorts, temporaryFolder, waitUntil } from '@parley/shared/testing';

const IDENTITY = path.resolve(__dirname, '../shared/process-identity/index.cjs');
const PORTS = ['SIM_UI_PORT', 'SIM_API_PORT', 'SIM_PACKS_PORT', 'SIM_GATEWAY_PORT', 'SIM_WORKER_PORT'];

it('stops the set of --data-dir, whatever SIM_DATA_DIR says', async () => {
  const [mine, other] = [temporaryFolder('stop'), temporaryFolder('stop-other')];
  const details = { service: 'ui', port: 1, supervisor: path.join(mine.path, 'supervisor'), debugged: false };
  const words = `require(${JSON.stringify(IDENTITY)}).writeRunRecord(...${JSON.stringify([mine.path, details])});`;
  const child = spawn(process.execPath, ['-e', `${words} setInterval(() => undefined, 1000)`], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  try {
    await waitUntil('its record', () => readRunRecords(mine.path, 'ui').length > 0);
    const free = await freePorts(PORTS.length);
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(__dirname, 'stop.cjs'), '--data-dir', mine.path],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          ...Object.fromEntries(PORTS.map((name, at) => [name, String(free[at])])),
          SIM_DATA_DIR: other.path,
        },
      },
    );
    expect([status, stderr]).toEqual([0, 'Stopping the five processes…\nParley is stopped.\n']);
    expect(await ended).toBe('SIGTERM');
  } finally {
    child.kill('SIGKILL');
    mine.remove();
    other.remove();
  }
});
