import path from 'node:path';
import { mkdirSync } from 'node:fs';
import { carryInternalKey } from '@parley/shared/client';
import { INTERNAL_KEY_HEADER } from '@parley/shared/contracts';
import { identityOf, writeIdentity } from '@parley/shared/process-identity';
import { createMetrics, silentLogger, startHttpService, type HttpService } from '@parley/shared/service';
import { freePorts, temporaryFolder, testBaseConfig, type TemporaryFolder } from '@parley/shared/testing';
import { mergeExpositions } from './siblings';

const KEY = 'k'.repeat(40);

describe('a process that shares its port with others of its service', () => {
  let folder: TemporaryFolder;
  let services: HttpService[];

  /** Two in one process: what the second says of itself has another number, and is believed as long as that one lives. */
  beforeEach(async () => {
    folder = temporaryFolder('siblings');
    carryInternalKey(KEY);
    const ports = await freePorts(2);
    services = await Promise.all(
      ports.map((port, instance) =>
        startHttpService({
          config: testBaseConfig('session_api', { data_dir: folder.path, port, instance, internal_key: KEY }),
          logger: silentLogger(),
          routes: {},
          metrics: createMetrics('session_api', instance),
        }),
      ),
    );
    mkdirSync(path.join(folder.path, 'run'));
    const [, { port = 0, ownPort = 0 } = {}] = services;
    const details = { service: 'session_api', port, supervisor: '/home', debugged: false };
    const identity = identityOf(process.ppid) ?? { pid: 0, started: '', boot: '' };
    writeIdentity(path.join(folder.path, 'run', `session_api-${process.ppid}.json`), {
      ...{ ...identity, ...details },
      ...{ instance: 1, own_port: ownPort },
    });
  });
  afterEach(async () => {
    carryInternalKey(null);
    await Promise.all(services.map((service) => service.close(0)));
    folder.remove();
  });

  const get = async (port: number | null | undefined, place: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${place}`, { headers: { [INTERNAL_KEY_HEADER]: KEY } });
    return answer.text();
  };

  it('answers at a port of its own as well, under the same guard, until it stops', async () => {
    const [first] = services;
    expect(first?.ownPort).not.toBe(first?.port);
    for (const port of [first?.port, first?.ownPort])
      expect(JSON.parse(await get(port, '/readyz'))).toMatchObject({ status: 'ready', pid: process.pid });
    expect((await fetch(`http://127.0.0.1:${first?.ownPort}/readyz`)).status).toBe(403);
    await first?.close();
    for (const port of [first?.port, first?.ownPort]) await expect(get(port, '/readyz')).rejects.toThrow();
  });

  it('tells the metrics of all at the shared port, each with the number of its process, and at its own those of itself', async () => {
    const [first, second] = services;
    const label = (process: number): string => `process="${process}"`;
    const all = await get(first?.port, '/metrics');
    for (const process of [0, 1])
      expect(all).toMatch(new RegExp(`^process_resident_memory_bytes\\{[^}]*${label(process)}`, 'm'));
    const families = [...all.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(families).size).toBe(families.length);
    expect(await get(first?.ownPort, '/metrics')).not.toContain(label(1));
    await second?.close();
    expect(await get(first?.port, '/metrics')).not.toContain(label(1));
  });
});

it('metrics of several processes are one text in which each family stands once', () => {
  const text = (process: number, more = ''): string =>
    `# HELP a_total A.\n# TYPE a_total counter\na_total{process="${process}"} 1\n\n# HELP empty E.\n# TYPE empty gauge\n${more}`;
  expect(mergeExpositions([text(0), text(1, '\n# HELP b B.\n# TYPE b gauge\nb 2\n')])).toBe(
    '# HELP a_total A.\n# TYPE a_total counter\na_total{process="0"} 1\na_total{process="1"} 1\n' +
      '\n# HELP empty E.\n# TYPE empty gauge\n\n# HELP b B.\n# TYPE b gauge\nb 2\n',
  );
});
