import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@parley/shared/contracts';
import { temporaryFolder } from '@parley/shared/testing';
import {
  allRoutes,
  debriefFor,
  filledPath,
  installSamplePack,
  playToEnd,
  playthrough,
  say,
  startParleySet,
  startedSession,
  type ParleySet,
} from '../set';

const RECORDER = path.join(__dirname, 'connection-recorder.cjs');
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+|localhost)$/;

/** Uses everything that a player uses, and looks at everything that the page looks at. */
async function playEverything(set: ParleySet): Promise<void> {
  const folder = temporaryFolder('outbound');
  try {
    await set.ask('patchSettings', { body: { relationship_memory_enabled: true } });
    for (const scenario of ['the_ask', 'kitchen_rota']) {
      const { id } = await startedSession(set, scenario);
      const socket = await set.socket(id);
      await say(set, id, 'Look at http://example.com/page and mail me at somebody@example.org.');
      await playToEnd(set, id, [...playthrough(scenario, 'skilled'), ...Array.from({ length: 14 }, () => 'Hm.')]);
      await debriefFor(set, id);
      socket.close();
    }
    await installSamplePack(set, folder.path);
    const gets = allRoutes().filter(
      (one) => one.method === 'GET' && (one.service === 'session_api' || one.via !== undefined),
    );
    for (const route of gets) await set.call('GET', filledPath(route));
    await set.call('GET', '/', undefined, { service: 'ui' });
    await set.call('POST', '/api/privacy/clear', {});
  } finally {
    folder.remove();
  }
}

describe('nothing calls out to the network', () => {
  it('no process asks for a connection, a name or a datagram beyond this machine, from its start to its end', async () => {
    const set = await startParleySet({
      withUi: true,
      launchOptions: () => ({ nodeWords: ['--require', RECORDER] }),
    });
    let lines: string[];
    try {
      await playEverything(set);
      for (const service of set.processes.keys()) await set.kill(service, 'SIGTERM');
      lines = readFileSync(path.join(set.folder.path, 'connections.ndjson'), 'utf8').trim().split('\n');
    } finally {
      await set.stop();
    }
    const asked = lines.map((line) => JSON.parse(line) as { pid: number; kind: string; target: string });
    expect(asked.length).toBeGreaterThan(10);
    expect(new Set(asked.map((one) => one.pid)).size).toBeGreaterThanOrEqual(2);
    expect(asked.filter((one) => !LOOPBACK.test(one.target))).toEqual([]);
  });

  it('the recorder notes what a process asks for', () => {
    const folder = temporaryFolder('recorder');
    const script = `require('net').connect(9, '192.0.2.1').on('error', () => {}).destroy();
      require('dns').lookup('parley.invalid', () => {});
      require('dgram').createSocket('udp4').on('error', () => {}).send('x', 9, '192.0.2.7', () => process.exit());`;
    spawnSync(process.execPath, ['--require', RECORDER, '-e', script], {
      env: { ...process.env, SIM_DATA_DIR: folder.path },
    });
    const noted = readFileSync(path.join(folder.path, 'connections.ndjson'), 'utf8');
    folder.remove();
    for (const target of ['192.0.2.1', 'parley.invalid', '192.0.2.7']) expect(noted).toContain(`"target":"${target}"`);
  });

  // The kernel's own word for it, where it can be asked.
  const traced = spawnSync('strace', ['-f', '-e', 'trace=connect', process.execPath, '-e', '0']).status === 0;
  if (traced)
    it('the kernel saw no connection or datagram beyond this machine', async () => {
      const folder = temporaryFolder('strace');
      const options = (service: ServiceName) => ({
        wrapper: [
          'strace',
          '-D',
          '-f',
          '-qq',
          '-e',
          'trace=connect,sendto,sendmsg,sendmmsg',
          '-o',
          path.join(folder.path, service),
        ],
      });
      const set = await startParleySet({ withUi: true, launchOptions: options });
      const services = [...set.processes.keys()];
      try {
        await playEverything(set);
      } finally {
        await set.stop();
      }
      const calls = services.flatMap((service) => readFileSync(path.join(folder.path, service), 'latin1').split('\n'));
      folder.remove();
      const targets = calls.flatMap(
        (line) => /sin6?_addr=inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/.exec(line)?.[1] ?? [],
      );
      expect(targets.length).toBeGreaterThanOrEqual(services.length);
      expect(targets.filter((target) => !LOOPBACK.test(target))).toEqual([]);
      const others = calls.flatMap((line) => /sa_family=(AF_\w+)/.exec(line)?.[1] ?? []);
      expect(new Set(others)).toEqual(new Set(['AF_INET']));
    });
});
