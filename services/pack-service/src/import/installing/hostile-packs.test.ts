import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { waitUntil, minimalPack } from '@parley/shared/testing';
import { largePack } from '../../../testing/large-pack';
import { packServiceFixture, UNPACK_FROM_SOURCES, type Answer } from '../../../testing/pack-service-fixture';
import { zipOfPack } from '../../../testing/zip-bytes';

/** Packs that are all right one by one and too much for the process that all others wait for. */
describe('a pack that is too much', () => {
  const set = packServiceFixture();
  const findingsOf = (answer: Answer): Finding[] => answer.body['findings'] as Finding[];
  const errorsOf = (answer: Answer): string[] =>
    findingsOf(answer).flatMap((one) => (one.severity === 'error' ? [`${one.rule}: ${one.message}`] : []));
  const validate = (files: Record<string, string | Buffer>) => set.upload('/api/packs/validate', zipOfPack(files));
  const databaseBytes = (): number =>
    ['', '-wal'].reduce((sum, end) => {
      const file = path.join(set.data(), `parley.sqlite${end}`);
      return sum + (existsSync(file) ? statSync(file).size : 0);
    }, 0);
  /** A program in the place of the one that checks packs. */
  const program = (script: string): string => {
    const file = path.join(set.folder(), 'program.js');
    writeFileSync(file, script);
    return file;
  };

  it('is refused with 12 scenarios in 500 languages, in a clear sentence, and the database stays as it is', async () => {
    await set.start();
    const zip = zipOfPack(largePack({ scenarios: 12, languages: 500 }));
    expect(zip.length).toBeLessThan(250_000);
    const before = databaseBytes();
    const answer = await set.upload('/api/packs/import', zip);
    expect([answer.status, answer.body['code'], set.rules(answer)]).toEqual([422, 'PACK_INVALID', ['pack.too-large']]);
    expect(JSON.stringify(answer.body)).toContain('The pack has 499 translations; a pack may have 30 languages.');
    expect(databaseBytes()).toBe(before);
  });

  it.each<[string, Parameters<typeof largePack>[0], string]>([
    ['201 scenarios', { scenarios: 201 }, 'The pack has 201 scenarios; a pack may have 200.'],
    [
      '21 scenarios in 30 languages',
      { scenarios: 21, languages: 30 },
      'The pack has 21 scenarios in 30 languages, 630 in all; a pack may have 600.',
    ],
    [
      'scenarios that come to more than 32 MB',
      { scenarios: 100, languages: 2, sharedText: 200_000 },
      'more than 32 MB',
    ],
  ])('is refused with %s', async (_name, options, message) => {
    await set.start();
    const answer = await validate(largePack(options));
    expect(answer.body['valid']).toBe(false);
    expect(errorsOf(answer)).toEqual([expect.stringContaining(`pack.too-large: `) as string]);
    expect(errorsOf(answer)[0]).toContain(message);
  });

  it('names 31 languages in its manifest alone and is refused', async () => {
    await set.start();
    const files = largePack({ scenarios: 1, languages: 31 });
    const named = Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith('i18n/')));
    expect(errorsOf(await validate(named))).toEqual([
      'pack.too-large: The pack names 31 languages; a pack may have 30.',
    ]);
  });

  it('is taken in when it is just within the limits', async () => {
    await set.start();
    const answer = await set.upload('/api/packs/import', zipOfPack(largePack({ scenarios: 20, languages: 30 })));
    expect([answer.status, (answer.body['pack'] as { scenario_count: number }).scenario_count]).toEqual([201, 20]);
    const content = await set.get('/internal/scenarios/large.pack.s019/content?language=bd');
    expect(content.body['content']).toMatchObject({ id: 'large.pack.s019', language: 'bd', version: 1 });
  });

  it('has no more findings than a person can read, the errors among them', async () => {
    await set.start();
    const idle = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, index) => [
        `scenes/idle${index}.yaml`,
        'schema_version: "0.1"\nscene_id: idle\ndisplay_name: I\ndescription: x\n',
      ]),
    );
    const answer = await validate(minimalPack({ ...idle, 'assets/run.js': 'x' }));
    const findings = findingsOf(answer);
    expect(findings).toHaveLength(1_001);
    expect(findings[0]).toMatchObject({
      rule: 'pack.too-many-findings',
      message: expect.stringMatching(/^There are \d+ more/) as string,
    });
    expect(findings.some((one) => one.severity === 'error' && one.file === 'assets/run.js')).toBe(true);
  });

  it('leaves the process responsive while it is checked', async () => {
    await set.start();
    const zip = zipOfPack(largePack({ scenarios: 120, sharedText: 140_000 }));
    const begun = performance.now();
    let running = true;
    const checking = set.upload('/api/packs/validate', zip).finally(() => (running = false));
    let longest = 0;
    while (running) {
      const asked = performance.now();
      expect((await set.get('/livez')).status).toBe(200);
      longest = Math.max(longest, performance.now() - asked);
    }
    expect(errorsOf(await checking)).toEqual([]);
    // In the process itself, nearly all of the time would be one long pause.
    expect(longest).toBeLessThan((performance.now() - begun) / 4);
  });

  describe('for the process that checks it', () => {
    const CHECKING = `process.send({ say: 'progress', stage: 'checking', files_done: 1, files_total: 2 });`;
    it.each([
      ['hangs', `${CHECKING} setInterval(() => {}, 1000)`, 1_000, 'takes longer than 5 minutes'],
      [
        'loops',
        `process.once('message', () => { ${CHECKING} setImmediate(() => { for (;;); }) })`,
        1_000,
        'takes longer than',
      ],
      ['dies', `${CHECKING} setTimeout(() => process.exit(3), 200)`, 60_000, 'with 512 MB of memory'],
      [
        'eats memory',
        `process.once('message', () => { ${CHECKING} setTimeout(() => { const a = []; for (;;) a.push(new Array(1e5).fill(Math.random())) }, 100) })`,
        60_000,
        'with 512 MB of memory',
      ],
    ])('is refused when that %s', async (_name, script, timeoutMs, message) => {
      await set.start(undefined, { childPath: program(script), nodeArguments: [], timeoutMs });
      const answer = await set.json('/api/packs/import', { path: set.source(minimalPack()) });
      expect([answer.status, set.rules(answer)]).toEqual([422, ['pack.too-complex']]);
      expect(JSON.stringify(answer.body)).toContain(message);
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
    });

    it('leaves nothing behind when that is ended while it unpacks', async () => {
      await set.start(undefined, {
        childPath: program('setInterval(() => {}, 1000)'),
        nodeArguments: [],
        timeoutMs: 500,
      });
      const answer = await set.upload('/api/packs/import', zipOfPack(minimalPack()));
      expect([answer.status, set.rules(answer), set.leftovers()]).toEqual([422, ['zip.invalid'], []]);
    });
  });

  describe('of many at once', () => {
    /** Says that it has begun by a file, and goes on when there is another one. */
    const WAITING = (folder: string) => `
      const fs = require('node:fs');
      process.once('message', (job) => {
        fs.writeFileSync(${JSON.stringify(folder)} + '/begun-' + process.pid, '');
        setInterval(() => {
          if (!fs.existsSync(${JSON.stringify(folder)} + '/go')) return;
          fs.writeFileSync(job.result, JSON.stringify({ valid: false, pack_id: null, findings: [], facts: null }) + '\\n');
          process.send({ say: 'done', findings: [] }, () => process.exit(0));
        }, 20);
      });`;
    const begun = (): string[] => readdirSync(set.folder()).filter((name) => name.startsWith('begun-'));
    const isRunning = (pid: number): boolean => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    };
    beforeEach(() =>
      set.start(undefined, { childPath: program(WAITING(set.folder())), nodeArguments: [], timeoutMs: 60_000 }),
    );

    it('waits until one of two is done', async () => {
      const source = set.source(minimalPack());
      const five = Array.from({ length: 5 }, () => set.json('/api/packs/validate', { path: source }));
      await waitUntil('two to begin', () => begun().length === 2);
      // A path that leads nowhere is said at once.
      expect((await set.json('/api/packs/validate', { path: `${source}/nothing` })).status).toBe(400);
      expect(begun()).toHaveLength(2);
      writeFileSync(path.join(set.folder(), 'go'), '');
      expect((await Promise.all(five)).map((one) => one.status)).toEqual([200, 200, 200, 200, 200]);
      expect(begun()).toHaveLength(5);
    });

    it('gives its place up when its caller goes away, waiting or not', async () => {
      const source = set.source(minimalPack());
      const caller = new AbortController();
      const ask = (): Promise<unknown> =>
        fetch(`${set.url()}/api/packs/validate`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ path: source }),
          signal: caller.signal,
        }).catch((error: unknown) => error);
      const three = [ask(), ask(), ask()];
      await waitUntil('two to begin', () => begun().length === 2);
      const pids = begun().map((name) => Number(name.slice('begun-'.length)));
      caller.abort();
      await Promise.all(three);
      await waitUntil('both to end', () => !pids.some(isRunning));
      const next = set.json('/api/packs/validate', { path: source });
      await waitUntil('the next to begin', () => begun().length === 3);
      writeFileSync(path.join(set.folder(), 'go'), '');
      expect((await next).status).toBe(200);
    });

    it('ends with the service', async () => {
      const answers = Promise.allSettled([
        set.json('/api/packs/import', { path: set.source(minimalPack()) }),
        set.json('/api/packs/import', { path: set.source(minimalPack()) }),
        set.json('/api/packs/import', { path: set.source(minimalPack()) }),
      ]);
      await waitUntil('two to begin', () => begun().length === 2);
      const pids = begun().map((name) => Number(name.slice('begun-'.length)));
      await set.stop();
      await answers;
      expect(pids.filter(isRunning)).toEqual([]);
      expect(begun()).toHaveLength(2);
      expect(set.leftovers()).toEqual([]);
    });
  });

  it('is left out at the start when its folder was changed so, and the others play', async () => {
    await set.start();
    await set.json('/api/packs/import', { path: set.source(minimalPack()) });
    await set.stop();
    set.source({ 'README.md': 'Changed.' }, 'data/packs/sample.pack');
    await set.start(undefined, {
      childPath: program('setInterval(() => {}, 1000)'),
      nodeArguments: [],
      timeoutMs: 500,
    });
    expect((await set.get('/api/packs')).body).toEqual({ packs: [] });
    await set.stop();
    await set.start(undefined, UNPACK_FROM_SOURCES);
    expect((await set.get('/api/scenarios/sample.pack.talk')).body).toMatchObject({ version: 1 });
    expect(readFileSync(path.join(set.data(), 'packs/sample.pack/README.md'), 'utf8')).toBe('Changed.');
  });

  describe('once it is uninstalled', () => {
    const uninstalled = async (): Promise<void> => {
      expect((await set.call('DELETE', '/api/packs/large.pack')).status).toBe(204);
    };
    const content = (id: string, version: number) => set.get(`/internal/scenarios/${id}/content?version=${version}`);

    it('leaves the database as small as it was', async () => {
      await set.start();
      await set.json('/api/packs/import', { path: set.source(minimalPack()) });
      const before = databaseBytes();
      await set.upload('/api/packs/import', zipOfPack(largePack({ scenarios: 40, languages: 2, sharedText: 96_000 })));
      const grown = databaseBytes();
      expect(grown).toBeGreaterThan(before + 6_000_000);
      await uninstalled();
      expect(databaseBytes()).toBeLessThan(before + 2_000_000);
      expect((await set.get('/api/scenarios/sample.pack.talk')).status).toBe(200);
    });

    it('is forgotten but for the versions that sessions began with, and numbers go on', async () => {
      await set.start();
      const zip = zipOfPack(largePack({ scenarios: 2 }));
      const changed = zipOfPack(largePack({ scenarios: 2, sharedText: 10 }));
      await set.upload('/api/packs/import', zip);
      set.useVersions([{ scenario_id: 'large.pack.s000', version: 1 }]);
      await uninstalled();
      expect((await content('large.pack.s000', 1)).body).toMatchObject({ content: { title: 'A talk', version: 1 } });
      expect((await content('large.pack.s001', 1)).body).toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
      expect((await set.upload('/api/packs/import', zip)).status).toBe(201);
      for (const id of ['large.pack.s000', 'large.pack.s001'])
        expect((await content(id, 1)).body).toMatchObject({ content: { id, version: 1 } });
      await uninstalled();
      expect((await set.upload('/api/packs/import', changed)).status).toBe(201);
      for (const id of ['large.pack.s000', 'large.pack.s001'])
        expect((await set.get(`/api/scenarios/${id}`)).body).toMatchObject({ id, version: 2 });
      expect((await content('large.pack.s001', 1)).status).toBe(404);
    });
  });
});
