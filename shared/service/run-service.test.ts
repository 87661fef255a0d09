import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readRunRecords, writeRunRecord, type RunDetails } from '@parley/shared/process-identity';
import { temporaryFolder } from '@parley/shared/testing';

const PROGRAM = `
  const { peerRequest } = require('@parley/shared/client');
  const { readBaseConfig, runService } = require('@parley/shared/service');
  void runService({
    service: 'pack_service',
    readConfig: (environment) => ({ base: readBaseConfig(environment, 'pack_service') }),
    start: async (config) => {
      await peerRequest(config.base.peers.session_api, { method: 'GET' });
      return { port: 0, stop: async () => {} };
    },
  });
`;

it('a process carries the key of its set in its calls from its start on', async () => {
  const key = 'k'.repeat(40);
  const carried: unknown[] = [];
  const peer = createServer((request, response) => {
    carried.push(request.headers['x-parley-internal-key']);
    response.end();
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const folder = temporaryFolder('run-service');
  const words = ['-r', path.resolve(__dirname, '../testing/typescript-hook.cjs'), '-e', PROGRAM];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      SIM_DATA_DIR: folder.path,
      SIM_INTERNAL_KEY: key,
      SIM_API_PORT: String((peer.address() as AddressInfo).port),
    },
  });
  try {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const ready = new Promise((resolve) => child.once('message', resolve));
    expect(await Promise.race([ready, ended])).toBe('ready');
    expect(carried).toEqual([key]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    peer.close();
    folder.remove();
  }
});

describe('a session-api on a data folder that another one uses', () => {
  const program = `
    const { readBaseConfig, runService } = require('@parley/shared/service');
    void runService({
      service: 'session_api',
      readConfig: (environment) => ({ base: readBaseConfig(environment, 'session_api') }),
      start: async () => ({ port: 7355, ownPort: 4001, stop: async () => {} }),
    });
  `;
  const several = {
    SIM_API_INSTANCES: '2',
    SIM_DATABASE_URL: 'postgres://a@127.0.0.1/b',
    SIM_REDIS_URL: 'redis://127.0.0.1',
    SIM_INTERNAL_KEY: 'k'.repeat(40),
    restart_time: '0',
    NODE_APP_INSTANCE: '1',
    PM2_HOME: '/home/pm2',
  };
  const sibling = { service: 'session_api', port: 7355, supervisor: '/home/pm2', debugged: false, instance: 0 };

  it.each([
    ['is refused', {}, { ...sibling, instance: undefined }, 78],
    ['is refused beside another that is alone', several, { ...sibling, instance: undefined }, 78],
    ['is refused beside those of another supervisor', several, { ...sibling, supervisor: '/elsewhere' }, 78],
    ['starts beside those of its own supervisor', several, { ...sibling, own_port: 4000 }, 'ready'],
  ] as const)('%s', async (_what, environment, other, outcome) => {
    const folder = temporaryFolder('run-service');
    // This process is the other one.
    const remove = writeRunRecord(folder.path, JSON.parse(JSON.stringify(other)) as RunDetails);
    const words = ['-r', path.resolve(__dirname, '../testing/typescript-hook.cjs'), '-e', program];
    const child = spawn(process.execPath, words, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { SIM_DATA_DIR: folder.path, ...environment },
    });
    let said = '';
    child.stderr?.on('data', (data) => (said += String(data)));
    try {
      const ended = new Promise((resolve) => child.once('close', resolve));
      const ready = new Promise((resolve) => child.on('message', (message) => message === 'ready' && resolve(message)));
      expect(await Promise.race([ready, ended])).toBe(outcome);
      if (outcome === 'ready') {
        const records = readRunRecords(folder.path, 'session_api');
        expect(records.map(({ pid, own_port: port }) => [pid, port]).sort()).toEqual(
          [
            [process.pid, 4000],
            [child.pid, 4001],
          ].sort(),
        );
        child.kill('SIGTERM');
        expect(await ended).toBe(0);
        expect(readRunRecords(folder.path, 'session_api').map(({ pid }) => pid)).toEqual([process.pid]);
      } else
        expect(said).toBe(
          `session_api: Another Parley uses the data folder ${folder.path} (process ${process.pid}, port 7355). ` +
            'Stop it where it was started (npm stop), or set SIM_DATA_DIR to another folder.\n',
        );
    } finally {
      child.kill('SIGKILL');
      remove();
      folder.remove();
    }
  });
});
