import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { smallDisk, startParleySet, type ParleySet, type SmallDisk } from '../set';

/** More than a process takes to stop, by far: one that hangs never ends. */
const END_LIMIT_MS = 60_000;

describe('with no room left for logs', () => {
  let disk: SmallDisk;
  let tools: TemporaryFolder;
  let set: ParleySet;

  beforeEach(async () => {
    disk = smallDisk();
    tools = temporaryFolder('full-log-disk');
    const thrower = path.join(tools.path, 'thrower.cjs');
    writeFileSync(thrower, `process.on('SIGUSR2', () => { throw new Error('nobody foresaw this'); });`);
    set = await startParleySet({
      environment: { ...disk.environment, SIM_LOG_LEVEL: 'debug' },
      launchOptions: () => ({ nodeWords: ['--require', thrower] }),
    });
  });
  afterEach(async () => {
    disk.makeRoom();
    await set.stop();
    disk.remove();
    tools.remove();
  });

  it.each(['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker'] as const)(
    '%s ends after an exception that nobody caught, and does not hang',
    async (service) => {
      disk.leave(set.folder.path, 0);
      // Lines that could not be written wait when the exception comes.
      for (let at = 0; at < 3; at += 1) await set.call('GET', '/livez', undefined, { service });
      const one = set.processes.get(service);
      one?.kill('SIGUSR2');
      const end = await waitUntil('the end of the process', () => one?.end(), { timeoutMs: END_LIMIT_MS });
      expect(end).toEqual({ code: 1, signal: null });
    },
  );

  it('goes on answering, and writes its log again once there is room', async () => {
    disk.leave(set.folder.path, 0);
    const log = (): string => readFileSync(path.join(set.folder.path, 'logs', 'runtime-gateway.1.log'), 'utf8');
    for (let at = 0; at < 50; at += 1)
      expect((await set.call('GET', '/livez', undefined, { service: 'runtime_gateway' })).status).toBe(200);
    disk.makeRoom();
    await set.call('GET', '/livez', undefined, {
      service: 'runtime_gateway',
      headers: { 'x-request-id': 'after-all' },
    });
    await waitUntil('the line', () => log().includes('after-all'));
  });
});
