import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
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
