import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Problem, ROUTES, type RouteShape } from '@parley/shared/contracts';
import { openDatabase } from '@parley/shared/store';
import { freePorts, minimalPack, replaced } from '@parley/shared/testing';
import { BUILT_IN_IDS, BUILT_IN_PACKS, packServiceFixture } from '../testing/pack-service-fixture';

describe('pack-service', () => {
  const set = packServiceFixture();

  it('answers every route of the table that it owns', async () => {
    await set.start();
    const own = (Object.values(ROUTES) as RouteShape[]).filter((route) => route.service === 'pack_service');
    expect(own).toHaveLength(26);
    for (const route of own) {
      const url = route.path.replace('{id}', 'nothing').replace('{pack_id}', 'nothing').replace('{path}', 'a/b.png');
      const answer = await set.call(
        route.method,
        url,
        route.bodyKind === 'none'
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: '{"path": "/nowhere/at/all"}' },
      );
      const problem = answer.status >= 400 ? Problem.parse(answer.body) : null;
      expect(`${route.operation} ${problem?.detail}`).not.toMatch(/does not answer this call|nothing at this path/);
      expect([null, 'SCENARIO_NOT_FOUND', 'PACK_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR']).toContain(
        problem?.code ?? null,
      );
    }
  });

  describe('built-in packs', () => {
    it('are in the catalogue from the start, with pictures that load', async () => {
      for (const name of BUILT_IN_IDS)
        cpSync(path.join(BUILT_IN_PACKS, name), path.join(set.builtIn(), name), { recursive: true });
      mkdirSync(path.join(set.builtIn(), 'tools'));
      await set.start();
      const { body } = await set.get('/api/scenarios');
      const scenarios = body['scenarios'] as { id: string; npc: { portrait_url: string } }[];
      expect(scenarios.map((one) => one.id).sort()).toEqual(BUILT_IN_IDS);
      for (const scenario of scenarios) {
        const picture = await fetch(`${set.url()}${scenario.npc.portrait_url}`);
        expect(picture.status).toBe(200);
        expect(picture.headers.get('content-type')).toBe('image/svg+xml');
        expect(await picture.text()).toContain('<svg');
      }
      expect((await set.get('/api/packs')).body['packs']).toEqual(
        expect.arrayContaining([expect.objectContaining({ pack_id: 'the_ask', built_in: true, scenario_count: 1 })]),
      );
    });

    it('are listed without the one whose row cannot be read, which the next start makes anew', async () => {
      for (const name of ['sample', 'second'])
        set.source(
          minimalPack(
            name === 'sample' ? {} : { 'manifest.yaml': replaced('manifest.yaml', 'sample.pack', 'sample.second') },
          ),
          `built-in/${name}`,
        );
      await set.start();
      const listed = async (): Promise<unknown[]> => [
        ((await set.get('/api/packs')).body['packs'] as { pack_id: string }[]).map((one) => one.pack_id).sort(),
        ((await set.get('/api/scenarios')).body['scenarios'] as { id: string }[]).map((one) => one.id).sort(),
      ];
      const whole = [
        ['sample.pack', 'sample.second'],
        ['sample.pack.talk', 'sample.second.talk'],
      ];
      expect(await listed()).toEqual(whole);
      const damage = async (table: string, columns: object, where: object): Promise<void> => {
        const database = await openDatabase({ dataDir: set.data(), url: null });
        await database.write((transaction) => transaction.knex(table).where(where).update(columns));
        await database.close();
      };
      await damage('packs', { manifest: '{' }, { pack_id: 'sample.second' });
      expect(await listed()).toEqual([['sample.pack'], whole[1]]);
      await damage('scenario_versions', { content: '{"content": {}}' }, { id: 'sample.pack.talk' });
      // What was read once is kept; another process would read it.
      await set.restart();
      expect(await listed()).toEqual([whole[0], ['sample.second.talk']]);
      expect((await set.get('/api/scenarios/sample.pack.talk')).status).toBe(500);
    });

    it('become a new version when their content changes, and none when it does not', async () => {
      set.source(minimalPack(), 'built-in/sample');
      await set.start();
      const versions = async () =>
        (
          (await set.get('/api/scenarios/sample.pack.talk/versions')).body['versions'] as {
            version: number;
            current: boolean;
          }[]
        ).map((one) => [one.version, one.current]);
      await set.restart();
      expect(await versions()).toEqual([[1, true]]);
      set.source({ 'README.md': 'More words, same scenario.' }, 'built-in/sample');
      await set.restart();
      expect(await versions()).toEqual([[1, true]]);
      set.source(
        { 'scenarios/talk.yaml': replaced('scenarios/talk.yaml', 'title: A talk', 'title: A long talk') },
        'built-in/sample',
      );
      await set.restart();
      expect(await versions()).toEqual([
        [2, true],
        [1, false],
      ]);
      const title = async (query: string) =>
        ((await set.get(`/internal/scenarios/sample.pack.talk/content${query}`)).body['content'] as { title: string })
          .title;
      expect([await title(''), await title('?version=1'), await title('?version=2')]).toEqual([
        'A long talk',
        'A talk',
        'A long talk',
      ]);
      expect((await set.get('/internal/scenarios/sample.pack.talk/content?version=3')).body).toMatchObject({
        code: 'SCENARIO_NOT_FOUND',
      });
    });

    it('leave the catalogue when their folder is gone, or is not valid, and the others play', async () => {
      set.source(minimalPack(), 'built-in/sample');
      set.source(minimalPack({ 'manifest.yaml': replaced('manifest.yaml', 'sample.pack', 'other') }), 'built-in/other');
      await set.start();
      set.source({ 'scenarios/talk.yaml': 'not: a scenario\n' }, 'built-in/other');
      await set.restart();
      expect(((await set.get('/api/packs')).body['packs'] as unknown[]).length).toBe(1);
      rmSync(path.join(set.builtIn(), 'sample'), { recursive: true });
      await set.restart();
      expect((await set.get('/api/scenarios')).body).toEqual({ scenarios: [] });
    });

    it('cannot be uninstalled', async () => {
      set.source(minimalPack(), 'built-in/sample');
      await set.start();
      expect(await set.call('DELETE', '/api/packs/sample.pack')).toMatchObject({
        status: 409,
        body: { code: 'INVALID_STATE' },
      });
    });
  });

  describe('uninstall', () => {
    beforeEach(async () => {
      await set.start();
      await set.json('/api/packs/import', { path: set.source(minimalPack()) });
    });

    it('takes the pack out, and keeps the versions that sessions began with', async () => {
      set.useVersions([{ scenario_id: 'sample.pack.talk', version: 1 }]);
      const answer = await set.call('DELETE', '/api/packs/sample.pack');
      expect(answer.status).toBe(204);
      expect(set.askedFor()).toEqual(['sample.pack']);
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
      expect((await set.get('/api/packs/sample.pack')).body).toMatchObject({ code: 'PACK_NOT_FOUND' });
      expect((await set.get('/api/scenarios/sample.pack.talk')).body).toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
      expect((await set.get('/internal/scenarios/sample.pack.talk/content')).body).toMatchObject({
        code: 'SCENARIO_NOT_FOUND',
      });
      expect((await set.get('/internal/scenarios/sample.pack.talk/content?version=1')).body).toMatchObject({
        content: { title: 'A talk', version: 1 },
      });
    });

    it('and the same pack again goes on with the same version', async () => {
      await set.call('DELETE', '/api/packs/sample.pack');
      expect((await set.json('/api/packs/import', { path: set.source(minimalPack()) })).status).toBe(201);
      expect((await set.get('/api/scenarios/sample.pack.talk')).body).toMatchObject({ version: 1 });
    });

    it('is refused while sessions of the pack are open', async () => {
      set.openSessions(2);
      expect(await set.call('DELETE', '/api/packs/sample.pack')).toMatchObject({
        status: 409,
        body: { code: 'PACK_IN_USE', details: { active_sessions: 2 } },
      });
      expect(set.installed()).toEqual(['sample.pack']);
    });

    it('says which process cannot be reached, and takes nothing out', async () => {
      await set.stop();
      const [port] = await freePorts(1);
      await set.start(`http://127.0.0.1:${port ?? 1}`);
      expect(await set.call('DELETE', '/api/packs/sample.pack')).toMatchObject({
        status: 503,
        body: { code: 'SERVICE_UNAVAILABLE', retryable: true, details: { service: 'session_api' } },
      });
      expect((await set.get('/api/packs/sample.pack')).status).toBe(200);
    });

    it('of a pack that is not there is 404', async () => {
      expect(await set.call('DELETE', '/api/packs/nothing')).toMatchObject({
        status: 404,
        body: { code: 'PACK_NOT_FOUND' },
      });
    });
  });

  it('gives content in a language of the pack, and in the default language otherwise', async () => {
    await set.start();
    const files = minimalPack({
      'manifest.yaml': replaced('manifest.yaml', '[en]', '[en, de]'),
      'i18n/de.yaml': 'schema_version: "0.2"\nscenarios/talk.yaml: {title: Ein Gespräch}\n',
    });
    await set.json('/api/packs/import', { path: set.source(files) });
    const title = async (language: string) =>
      (
        (await set.get(`/internal/scenarios/sample.pack.talk/content?language=${language}`)).body['content'] as {
          title: string;
        }
      ).title;
    expect([await title('de'), await title('en'), await title('fr')]).toEqual(['Ein Gespräch', 'A talk', 'A talk']);
    expect((await set.get('/internal/scenarios/sample.pack.talk/content?language=DE!')).status).toBe(400);
  });

  it('shows the catalogue and a briefing in the language that is asked for, and says where it has none', async () => {
    await set.start();
    const files = minimalPack({
      'manifest.yaml': replaced('manifest.yaml', '[en]', '[en, de, sv]'),
      'i18n/de.yaml': 'schema_version: "0.2"\nscenarios/talk.yaml: {title: Ein Gespräch}\n',
      'i18n/sv.yaml': 'schema_version: "0.2"\nscenarios/talk.yaml: {title: Ett samtal}\n',
    });
    await set.json('/api/packs/import', { path: set.source(files) });
    const titles = async (query: string) =>
      ((await set.get(`/api/scenarios${query}`)).body['scenarios'] as { title: string }[]).map(({ title }) => title);
    expect([await titles('?language=de'), await titles('?language=fr'), await titles('')]).toEqual([
      ['Ein Gespräch'],
      ['A talk'],
      ['A talk'],
    ]);
    const other = minimalPack({
      'manifest.yaml': replaced('manifest.yaml', 'sample.pack', 'another.pack'),
      'scenarios/talk.yaml': replaced('scenarios/talk.yaml', 'A talk', 'A hard talk'),
    });
    await set.json('/api/packs/import', { path: set.source(other, 'another') });
    expect(await titles('')).toEqual(['A hard talk', 'A talk']);
    // What somebody can read comes first.
    expect(await titles('?language=de')).toEqual(['Ein Gespräch', 'A hard talk']);
    const briefing = async (query: string) => (await set.get(`/api/scenarios/sample.pack.talk${query}`)).body;
    const german = await briefing('?language=de');
    expect(german).toMatchObject({ title: 'Ein Gespräch', language: 'de', languages: ['en', 'de', 'sv'] });
    expect((german['endings'] as { description: string }[]).map(({ description }) => description)).toContain(
      'Vertrauen liegt über 79.',
    );
    expect((await briefing('?language=de'))['warnings']).toEqual(['In diesem Paket gibt es kein Bild von Kim.']);
    // Nothing of the author's and nothing of the demo voice's own is Swedish.
    expect((await briefing('?language=sv'))['warnings']).toEqual([
      'There is no picture of Kim in this pack.',
      'The demo voice has no lines in Swedish here and says English ones; a connected model speaks Swedish.',
    ]);
    expect(await briefing('?language=fr')).toMatchObject({
      language: 'en',
      warnings: ['There is no picture of Kim in this pack.', 'This pack has no French: the talk is in English.'],
    });
    expect((await briefing(''))['warnings']).toEqual(['There is no picture of Kim in this pack.']);
  });

  it('keeps the folders of packs to their owner', async () => {
    await set.start();
    await set.json('/api/packs/import', { path: set.source(minimalPack()) });
    expect(statSync(path.join(set.data(), 'packs')).mode & 0o077).toBe(0);
    expect(statSync(path.join(set.data(), 'packs/sample.pack/manifest.yaml')).mode & 0o077).toBe(0);
  });

  it('gives the packs back as they were when the rows cannot be written', async () => {
    await set.start();
    const database = await openDatabase({ dataDir: set.data() });
    await database.knex.schema.alterTable('scenario_versions', (table) => table.renameColumn('content', 'gone'));
    const answer = await set.json('/api/packs/import', { path: set.source(minimalPack()) });
    await database.close();
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    expect([set.installed(), set.leftovers()]).toEqual([[], []]);
    expect((await set.get('/api/packs')).body).toEqual({ packs: [] });
  });
});
