import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem, ROUTES, type Finding, type RouteShape } from '@parley/shared/contracts';
import { silentLogger, type HttpService, type RunningService } from '@parley/shared/service';
import { openDatabase } from '@parley/shared/store';
import { freePorts, stubService, temporaryFolder, testBaseConfig, type TemporaryFolder } from '@parley/shared/testing';
import { minimalPack, PNG, replaced, writePack, type PackFiles } from './fixtures/minimal-pack';
import { zipBytes, zipOfPack } from './fixtures/zip-bytes';
import type { PackContextOverrides } from './context';
import { startPackService } from './start-pack-service';

const BUILT_IN = path.resolve(__dirname, '../../../packs');
const unpack = {
  childPath: path.join(__dirname, 'import/unpack-zip-child.ts'),
  nodeArguments: ['-r', path.resolve(__dirname, '../../../shared/testing/typescript-hook.cjs')],
};

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

describe('pack-service', () => {
  let folder: TemporaryFolder;
  let data: string;
  let builtIn: string;
  let sessionApi: HttpService;
  let activeSessions: number;
  let askedFor: string[];
  let running: (RunningService & { url: string }) | null;

  beforeEach(async () => {
    folder = temporaryFolder('pack-service');
    data = path.join(folder.path, 'data');
    builtIn = path.join(folder.path, 'built-in');
    mkdirSync(builtIn);
    activeSessions = 0;
    askedFor = [];
    running = null;
    sessionApi = await stubService(
      'session_api',
      {
        countPackSessions: ({ params }) => {
          askedFor.push(params.pack_id);
          return { body: { active_sessions: activeSessions } };
        },
      },
      data,
    );
  });
  afterEach(async () => {
    await running?.stop();
    await sessionApi.close();
    folder.remove();
  });

  const start = async (peer = sessionApi.url, overrides: PackContextOverrides = {}): Promise<void> => {
    const base = testBaseConfig('pack_service', { data_dir: data });
    const config = { base: { ...base, peers: { ...base.peers, session_api: peer } }, built_in_packs_dir: builtIn };
    running = await startPackService(config, silentLogger(), { unpack, ...overrides });
  };
  const restart = async (): Promise<void> => {
    await running?.stop();
    running = null;
    await start();
  };
  const call = async (method: string, route: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(`${running?.url ?? ''}${route}`, { method, ...init });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
    };
  };
  const get = (route: string) => call('GET', route);
  const json = (route: string, body: unknown) =>
    call('POST', route, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const upload = (route: string, bytes: Buffer, field = 'file') => {
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(bytes)]), '../../evil.zip');
    return call('POST', route, { body: form });
  };
  const source = (files: PackFiles, name = 'source') => writePack(path.join(folder.path, name), files);
  const rules = (answer: Answer): string[] => {
    const details = answer.body['details'] as { findings: Finding[] } | undefined;
    return (details?.findings ?? (answer.body['findings'] as Finding[])).map((one) => one.rule);
  };
  const installed = (): string[] => (existsSync(path.join(data, 'packs')) ? readdirSync(path.join(data, 'packs')) : []);
  const leftovers = (): string[] =>
    ['staging', 'uploads'].flatMap((name) =>
      existsSync(path.join(data, name)) ? readdirSync(path.join(data, name)) : [],
    );

  it('answers every route of the table that it owns', async () => {
    await start();
    const own = (Object.values(ROUTES) as RouteShape[]).filter((route) => route.service === 'pack_service');
    expect(own).toHaveLength(10);
    for (const route of own) {
      const url = route.path.replace('{id}', 'nothing').replace('{pack_id}', 'nothing').replace('{path}', 'a/b.png');
      const answer = await call(
        route.method,
        url,
        route.bodyKind === 'none'
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: '{"path": "/nowhere/at/all"}' },
      );
      const problem = answer.status >= 400 ? Problem.parse(answer.body) : null;
      expect([null, 'SCENARIO_NOT_FOUND', 'PACK_NOT_FOUND', 'VALIDATION_ERROR']).toContain(problem?.code ?? null);
    }
  });

  describe('built-in packs', () => {
    it('are in the catalogue from the start, with pictures that load', async () => {
      for (const name of ['the_ask', 'kitchen_rota'])
        cpSync(path.join(BUILT_IN, name), path.join(builtIn, name), { recursive: true });
      mkdirSync(path.join(builtIn, 'tools'));
      await start();
      const { body } = await get('/api/scenarios');
      const scenarios = body['scenarios'] as { id: string; npc: { portrait_url: string } }[];
      expect(scenarios.map((one) => one.id).sort()).toEqual(['kitchen_rota', 'the_ask']);
      for (const scenario of scenarios) {
        const picture = await fetch(`${running?.url ?? ''}${scenario.npc.portrait_url}`);
        expect(picture.status).toBe(200);
        expect(picture.headers.get('content-type')).toBe('image/svg+xml');
        expect(await picture.text()).toContain('<svg');
      }
      expect((await get('/api/packs')).body['packs']).toEqual(
        expect.arrayContaining([expect.objectContaining({ pack_id: 'the_ask', built_in: true, scenario_count: 1 })]),
      );
    });

    it('become a new version when their content changes, and none when it does not', async () => {
      source(minimalPack(), 'built-in/sample');
      await start();
      const versions = async () =>
        (
          (await get('/api/scenarios/sample.pack.talk/versions')).body['versions'] as {
            version: number;
            current: boolean;
          }[]
        ).map((one) => [one.version, one.current]);
      await restart();
      expect(await versions()).toEqual([[1, true]]);
      source({ 'README.md': 'More words, same scenario.' }, 'built-in/sample');
      await restart();
      expect(await versions()).toEqual([[1, true]]);
      source(
        { 'scenarios/talk.yaml': replaced('scenarios/talk.yaml', 'title: A talk', 'title: A long talk') },
        'built-in/sample',
      );
      await restart();
      expect(await versions()).toEqual([[2, true], [1, false]]); // prettier-ignore
      const title = async (query: string) =>
        ((await get(`/internal/scenarios/sample.pack.talk/content${query}`)).body['content'] as { title: string })
          .title;
      expect([await title(''), await title('?version=1'), await title('?version=2')]).toEqual([
        'A long talk',
        'A talk',
        'A long talk',
      ]);
      expect((await get('/internal/scenarios/sample.pack.talk/content?version=3')).body).toMatchObject({
        code: 'SCENARIO_NOT_FOUND',
      });
    });

    it('leave the catalogue when their folder is gone, or is not valid, and the others play', async () => {
      source(minimalPack(), 'built-in/sample');
      source(minimalPack({ 'manifest.yaml': replaced('manifest.yaml', 'sample.pack', 'other') }), 'built-in/other');
      await start();
      source({ 'scenarios/talk.yaml': 'not: a scenario\n' }, 'built-in/other');
      await restart();
      expect(((await get('/api/packs')).body['packs'] as unknown[]).length).toBe(1);
      rmSync(path.join(builtIn, 'sample'), { recursive: true });
      await restart();
      expect((await get('/api/scenarios')).body).toEqual({ scenarios: [] });
    });

    it('cannot be uninstalled', async () => {
      source(minimalPack(), 'built-in/sample');
      await start();
      expect(await call('DELETE', '/api/packs/sample.pack')).toMatchObject({
        status: 409,
        body: { code: 'INVALID_STATE' },
      });
    });
  });

  describe('import', () => {
    it.each(['a folder', 'a local zip', 'an upload', 'an upload of a wrapped folder'])(
      'installs from %s',
      async (way) => {
        await start();
        const zip = path.join(folder.path, 'pack.zip');
        writeFileSync(zip, zipOfPack(minimalPack()));
        const answer =
          way === 'a folder'
            ? await json('/api/packs/import', { path: source(minimalPack()) })
            : way === 'a local zip'
              ? await json('/api/packs/import', { path: zip })
              : await upload('/api/packs/import', zipOfPack(minimalPack(), way === 'an upload' ? '' : 'sample/'));
        expect(answer.status).toBe(201);
        expect(answer.body).toMatchObject({
          pack: { pack_id: 'sample.pack', built_in: false, scenario_count: 1, version: '1.2.3' },
          findings: [{ severity: 'warning', rule: 'ref.missing-asset' }],
        });
        expect(answer.headers.get('location')).toBe('/api/packs/sample.pack');
        expect(installed()).toEqual(['sample.pack']);
        expect(leftovers()).toEqual([]);
        const detail = await get('/api/packs/sample.pack');
        expect(detail.body).toMatchObject({
          scenarios: [{ id: 'sample.pack.talk', title: 'A talk' }],
          npcs: [{ id: 'kim', name: 'Kim' }],
          rubrics: [{ id: 'basics', title: 'Basics' }],
          policies: [{ id: 'policy', description: null }],
          scenes: [{ id: 'room', name: 'A room' }],
          assets: [],
          findings: [{ rule: 'ref.missing-asset' }],
        });
        await restart();
        expect((await get('/api/scenarios/sample.pack.talk')).body).toMatchObject({
          version: 1,
          npc: { portrait_url: null },
        });
      },
    );

    it('refuses a pack that is installed with 409, also when two imports run at once', async () => {
      await start();
      const zip = zipOfPack(minimalPack());
      const answers = await Promise.all([
        upload('/api/packs/import', zip),
        upload('/api/packs/import', zip),
        upload('/api/packs/import', zip),
      ]);
      expect(answers.map((one) => one.status).sort()).toEqual([201, 409, 409]);
      expect(answers.filter((one) => one.status === 409).map((one) => one.body['code'])).toEqual([
        'PACK_ALREADY_INSTALLED',
        'PACK_ALREADY_INSTALLED',
      ]);
      expect(installed()).toEqual(['sample.pack']);
      expect(leftovers()).toEqual([]);
    });

    it('installs nothing of a pack with errors, and answers all of them', async () => {
      await start();
      const bad = minimalPack({ 'assets/run.exe': 'MZ', 'scenes/room.yaml': 'scene_id: room\n' });
      const answer = await json('/api/packs/import', { path: source(bad) });
      expect(answer).toMatchObject({ status: 422, body: { code: 'PACK_INVALID' } });
      expect(rules(answer)).toEqual(
        expect.arrayContaining(['file.forbidden-extension', 'file.executable-signature', 'schema.scene']),
      );
      expect([installed(), leftovers()]).toEqual([[], []]);
      expect((await get('/api/packs')).body).toEqual({ packs: [] });
    });

    it.each([
      ['a symbolic link', zipBytes([{ name: 'a', data: '/etc/passwd', mode: 0o120777 }]), 'zip.symlink'],
      ['a name that leads out', zipBytes([{ name: '../../evil.txt', data: 'x' }]), 'zip.path-escape'],
      ['a promise of more than 500 MB', zipBytes([{ name: 'a', data: 'x', size: 600_000_000 }]), 'zip.too-large'],
      ['no archive', Buffer.from('hello'), 'zip.invalid'],
      ['an empty file', Buffer.alloc(0), 'zip.invalid'],
    ])('refuses an upload with %s', async (_name, bytes, rule) => {
      await start();
      const answer = await upload('/api/packs/import', bytes);
      expect(answer).toMatchObject({ status: 422, body: { code: 'PACK_INVALID' } });
      expect(rules(answer)).toEqual([rule]);
      expect([installed(), leftovers()]).toEqual([[], []]);
      expect(existsSync(path.join(data, 'evil.txt'))).toBe(false);
    });

    it('answers 400 for a path that is not there, an unknown member, and a file in another field', async () => {
      await start();
      for (const answer of [
        await json('/api/packs/import', { path: path.join(folder.path, 'nothing') }),
        await json('/api/packs/validate', { path: 'a\0b' }),
        await json('/api/packs/import', { path: '/tmp', evil: 1 }),
        await json('/api/packs/import', {}),
        await upload('/api/packs/import', zipOfPack(minimalPack()), 'pack'),
      ])
        expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      expect(leftovers()).toEqual([]);
    });

    it('does not copy what a link in a folder points to', async () => {
      await start();
      const root = source(minimalPack());
      mkdirSync(path.join(root, 'assets'));
      symlinkSync('/etc/passwd', path.join(root, 'assets/note.txt'));
      const answer = await json('/api/packs/import', { path: root });
      expect(answer.status).toBe(422);
      expect(rules(answer)).toContain('file.symlink');
    });

    it('is undone by a crash before the move, and whole after it', async () => {
      await start();
      await running?.stop();
      running = null;
      // As a crash leaves it: a half-filled staging folder, and a folder that was moved but whose rows were not committed.
      source({ 'manifest.yaml': 'half' }, 'data/staging/import-1');
      source(minimalPack(), 'data/packs/sample.pack');
      await start();
      expect(leftovers()).toEqual([]);
      expect((await get('/api/packs/sample.pack')).body).toMatchObject({ built_in: false, scenario_count: 1 });
    });
  });

  describe('validate', () => {
    it('installs nothing, and an installed pack is valid', async () => {
      await start();
      expect((await upload('/api/packs/validate', zipOfPack(minimalPack()))).body).toMatchObject({ valid: true });
      expect([installed(), leftovers()]).toEqual([[], []]);
      await json('/api/packs/import', { path: source(minimalPack()) });
      const again = await json('/api/packs/validate', { path: path.join(data, 'packs/sample.pack') });
      expect(again).toMatchObject({ status: 200, body: { valid: true } });
    });

    it('answers 200 with the findings of a pack that is not valid', async () => {
      await start();
      const answer = await upload('/api/packs/validate', zipOfPack(minimalPack({ 'manifest.yaml': null })));
      expect(answer).toMatchObject({ status: 200, body: { valid: false } });
      expect(rules(answer)).toContain('schema.manifest');
    });
  });

  describe('uninstall', () => {
    beforeEach(async () => {
      await start();
      await json('/api/packs/import', { path: source(minimalPack()) });
    });

    it('takes the pack out, and keeps the versions that sessions began with', async () => {
      const answer = await call('DELETE', '/api/packs/sample.pack');
      expect(answer.status).toBe(204);
      expect(askedFor).toEqual(['sample.pack']);
      expect([installed(), leftovers()]).toEqual([[], []]);
      expect((await get('/api/packs/sample.pack')).body).toMatchObject({ code: 'PACK_NOT_FOUND' });
      expect((await get('/api/scenarios/sample.pack.talk')).body).toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
      expect((await get('/internal/scenarios/sample.pack.talk/content')).body).toMatchObject({
        code: 'SCENARIO_NOT_FOUND',
      });
      expect((await get('/internal/scenarios/sample.pack.talk/content?version=1')).body).toMatchObject({
        content: { title: 'A talk', version: 1 },
      });
    });

    it('and the same pack again goes on with the same version', async () => {
      await call('DELETE', '/api/packs/sample.pack');
      expect((await json('/api/packs/import', { path: source(minimalPack()) })).status).toBe(201);
      expect((await get('/api/scenarios/sample.pack.talk')).body).toMatchObject({ version: 1 });
    });

    it('is refused while sessions of the pack are open', async () => {
      activeSessions = 2;
      expect(await call('DELETE', '/api/packs/sample.pack')).toMatchObject({
        status: 409,
        body: { code: 'PACK_IN_USE', details: { active_sessions: 2 } },
      });
      expect(installed()).toEqual(['sample.pack']);
    });

    it('says which process cannot be reached, and takes nothing out', async () => {
      await running?.stop();
      const [port] = await freePorts(1);
      await start(`http://127.0.0.1:${port ?? 1}`);
      expect(await call('DELETE', '/api/packs/sample.pack')).toMatchObject({
        status: 503,
        body: { code: 'SERVICE_UNAVAILABLE', retryable: true, details: { service: 'session_api' } },
      });
      expect((await get('/api/packs/sample.pack')).status).toBe(200);
    });

    it('of a pack that is not there is 404', async () => {
      expect(await call('DELETE', '/api/packs/nothing')).toMatchObject({
        status: 404,
        body: { code: 'PACK_NOT_FOUND' },
      });
    });
  });

  describe('assets', () => {
    const asset = (name: string, init?: RequestInit) =>
      fetch(`${running?.url ?? ''}/api/packs/sample.pack/assets/${name}`, init);
    beforeEach(async () => {
      await start();
      const files = minimalPack({
        'assets/kim.png': PNG,
        'assets/sounds/a.png': Buffer.from('<html><script>1</script></html>'),
        'assets/note.md': '<!-- a note -->\nHello',
        'assets/empty.txt': '',
      });
      expect((await json('/api/packs/import', { path: source(files) })).status).toBe(201);
    });

    it('are typed by their bytes, sandboxed, and may be shown by the page on another port', async () => {
      const picture = await asset('kim.png');
      expect(Object.fromEntries(picture.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as string,
        'cross-origin-resource-policy': 'cross-origin',
        'content-length': String(PNG.length),
      });
      expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);
      expect((await asset('note.md')).headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await (await asset('empty.txt')).text()).toBe('');
    });

    it('whose bytes are no picture are never given out as one', async () => {
      const fake = await asset('sounds/a.png');
      expect(fake.headers.get('content-type')).toBe('application/octet-stream');
      expect(fake.headers.get('content-disposition')).toBe('attachment');
    });

    it('are immutable under the address that the catalogue gives, and checked again under the bare one', async () => {
      const { body } = await get('/api/scenarios/sample.pack.talk');
      const url = (body['npc'] as { portrait_url: string }).portrait_url;
      const named = await fetch(`${running?.url ?? ''}${url}`);
      expect(named.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const bare = await asset('kim.png');
      expect(bare.headers.get('cache-control')).toBe('no-cache');
      const again = await asset('kim.png', { headers: { 'if-none-match': bare.headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    });

    it.each([
      '..%2fmanifest.yaml',
      '%2e%2e/manifest.yaml',
      '..%5cmanifest.yaml',
      'nothing.png',
      '%2fetc%2fpasswd',
      'kim.png%00',
      '__proto__',
      'sounds',
    ])('answers 404 for %s', async (name) => {
      expect((await asset(name)).status).toBe(404);
    });

    it('answers HEAD without the bytes', async () => {
      const answer = await asset('kim.png', { method: 'HEAD' });
      expect([answer.status, answer.headers.get('content-length'), (await answer.arrayBuffer()).byteLength]).toEqual([
        200,
        String(PNG.length),
        0,
      ]);
    });
  });

  it('gives content in a language of the pack, and in the default language otherwise', async () => {
    await start();
    const files = minimalPack({
      'manifest.yaml': replaced('manifest.yaml', '[en]', '[en, de]'),
      'i18n/de.yaml': 'schema_version: "0.2"\nscenarios/talk.yaml: {title: Ein Gespräch}\n',
    });
    await json('/api/packs/import', { path: source(files) });
    const title = async (language: string) =>
      (
        (await get(`/internal/scenarios/sample.pack.talk/content?language=${language}`)).body['content'] as {
          title: string;
        }
      ).title;
    expect([await title('de'), await title('en'), await title('fr')]).toEqual(['Ein Gespräch', 'A talk', 'A talk']);
    expect((await get('/internal/scenarios/sample.pack.talk/content?language=DE!')).status).toBe(400);
  });

  it('keeps the folders of packs to their owner', async () => {
    await start();
    await json('/api/packs/import', { path: source(minimalPack()) });
    expect(statSync(path.join(data, 'packs')).mode & 0o077).toBe(0);
    expect(statSync(path.join(data, 'packs/sample.pack/manifest.yaml')).mode & 0o077).toBe(0);
  });

  it('gives the packs back as they were when the rows cannot be written', async () => {
    await start();
    const database = await openDatabase({ dataDir: data });
    await database.knex.schema.alterTable('scenario_versions', (table) => table.renameColumn('content', 'gone'));
    const answer = await json('/api/packs/import', { path: source(minimalPack()) });
    await database.close();
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    expect([installed(), leftovers()]).toEqual([[], []]);
    expect((await get('/api/packs')).body).toEqual({ packs: [] });
  });
});
