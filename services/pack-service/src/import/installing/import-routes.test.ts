import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { minimalPack } from '@parley/shared/testing';
import { packServiceFixture } from '../../../testing/pack-service-fixture';
import { zipBytes, zipOfPack } from '../../../testing/zip-bytes';

describe('importing packs', () => {
  const set = packServiceFixture();

  describe('import', () => {
    it.each(['a folder', 'a local zip', 'an upload', 'an upload of a wrapped folder'])(
      'installs from %s',
      async (way) => {
        await set.start();
        const zip = path.join(set.folder(), 'pack.zip');
        writeFileSync(zip, zipOfPack(minimalPack()));
        const answer =
          way === 'a folder'
            ? await set.json('/api/packs/import', { path: set.source(minimalPack()) })
            : way === 'a local zip'
              ? await set.json('/api/packs/import', { path: zip })
              : await set.upload('/api/packs/import', zipOfPack(minimalPack(), way === 'an upload' ? '' : 'sample/'));
        expect(answer.status).toBe(201);
        expect(answer.body).toMatchObject({
          pack: { pack_id: 'sample.pack', built_in: false, scenario_count: 1, version: '1.2.3' },
          findings: [{ severity: 'warning', rule: 'ref.missing-asset' }],
        });
        expect(answer.headers.get('location')).toBe('/api/packs/sample.pack');
        expect(set.installed()).toEqual(['sample.pack']);
        expect(set.leftovers()).toEqual([]);
        const detail = await set.get('/api/packs/sample.pack');
        expect(detail.body).toMatchObject({
          scenarios: [{ id: 'sample.pack.talk', title: 'A talk' }],
          npcs: [{ id: 'kim', name: 'Kim' }],
          rubrics: [{ id: 'basics', title: 'Basics' }],
          policies: [{ id: 'policy', description: null }],
          scenes: [{ id: 'room', name: 'A room' }],
          assets: [],
          findings: [{ rule: 'ref.missing-asset' }],
        });
        await set.restart();
        expect((await set.get('/api/scenarios/sample.pack.talk')).body).toMatchObject({
          version: 1,
          npc: { portrait_url: null },
        });
      },
    );

    it('refuses a pack that is installed with 409, also when two imports run at once', async () => {
      await set.start();
      const zip = zipOfPack(minimalPack());
      const answers = await Promise.all([
        set.upload('/api/packs/import', zip),
        set.upload('/api/packs/import', zip),
        set.upload('/api/packs/import', zip),
      ]);
      expect(answers.map((one) => one.status).sort()).toEqual([201, 409, 409]);
      expect(answers.filter((one) => one.status === 409).map((one) => one.body['code'])).toEqual([
        'PACK_ALREADY_INSTALLED',
        'PACK_ALREADY_INSTALLED',
      ]);
      expect(set.installed()).toEqual(['sample.pack']);
      expect(set.leftovers()).toEqual([]);
    });

    const version = (number: string, title = 'A talk') => {
      const pack = minimalPack();
      const manifest = String(pack['manifest.yaml']).replace('version: 1.2.3', `version: ${number}`);
      const talk = String(pack['scenarios/talk.yaml']).replace('title: A talk', `title: ${title}`);
      return zipOfPack(minimalPack({ 'manifest.yaml': manifest, 'scenarios/talk.yaml': talk }));
    };

    it('replaces an installed pack by a higher version, and keeps what sessions began with', async () => {
      await set.start();
      await set.upload('/api/packs/import', version('1.2.3'));
      const offered = await set.upload('/api/packs/import', version('1.10.0', 'A better talk'));
      expect(offered).toMatchObject({
        status: 409,
        body: {
          code: 'PACK_ALREADY_INSTALLED',
          details: { pack_id: 'sample.pack', version: '1.10.0', installed_version: '1.2.3', replaceable: true },
        },
      });
      const replaced = await set.upload('/api/packs/import?replace=true', version('1.10.0', 'A better talk'));
      expect(replaced).toMatchObject({ status: 201, body: { pack: { version: '1.10.0' } } });
      expect((await set.get('/api/scenarios/sample.pack.talk')).body).toMatchObject({
        title: 'A better talk',
        version: 2,
      });
      expect((await set.get('/internal/scenarios/sample.pack.talk/content?version=1')).body).toMatchObject({
        content: { title: 'A talk', version: 1 },
      });
      expect([set.installed(), set.leftovers()]).toEqual([['sample.pack'], []]);
      await set.restart();
      expect((await set.get('/api/scenarios/sample.pack.talk')).body).toMatchObject({
        title: 'A better talk',
        version: 2,
      });
    });

    it.each(['1.2.3', '1.2.2', '0.9.9'])('does not replace version 1.2.3 by %s', async (number) => {
      await set.start();
      await set.upload('/api/packs/import', version('1.2.3'));
      const refused = await set.upload('/api/packs/import?replace=true', version(number));
      expect(refused).toMatchObject({ status: 409, body: { details: { replaceable: false } } });
      expect(String(refused.body['detail'])).toMatch(/Version 1\.2\.3 .* Raise version in manifest\.yaml/);
      expect((await set.get('/api/packs/sample.pack')).body).toMatchObject({ version: '1.2.3' });
    });

    it('names the folder of a pack that was damaged, and installs it again when that is away', async () => {
      await set.start();
      await set.upload('/api/packs/import', version('1.2.3'));
      await set.stop();
      const folder = path.join(set.data(), 'packs', 'sample.pack');
      writeFileSync(path.join(folder, 'manifest.yaml'), 'pack_id: [');
      await set.start();
      const refused = await set.upload('/api/packs/import?replace=true', version('1.2.4'));
      expect([refused.status, refused.body['detail']]).toEqual([
        409,
        `Move the folder ${folder} away, then import the pack again: Parley does not know what is in it.`,
      ]);
      expect(existsSync(path.join(folder, 'scenarios', 'talk.yaml'))).toBe(true);
      renameSync(folder, path.join(set.folder(), 'damaged'));
      expect((await set.upload('/api/packs/import', version('1.2.3'))).status).toBe(201);
    });

    it('puts back at the start what was set aside for a version that never came', async () => {
      await set.start();
      await set.upload('/api/packs/import', version('1.2.3'));
      await set.stop();
      const [installed, staging] = [path.join(set.data(), 'packs'), path.join(set.data(), 'staging')];
      mkdirSync(staging, { recursive: true });
      renameSync(path.join(installed, 'sample.pack'), path.join(staging, 'replaced-sample.pack'));
      await set.start();
      expect((await set.get('/api/packs/sample.pack')).body).toMatchObject({ version: '1.2.3' });
      expect([set.installed(), set.leftovers()]).toEqual([['sample.pack'], []]);
    });

    it('answers the repeat under an Idempotency-Key as the first, by the bytes of the upload, also after a restart', async () => {
      await set.start();
      const headers = { 'idempotency-key': 'import-0001' };
      const zip = zipOfPack(minimalPack());
      const imports = (bytes: Buffer) => set.upload('/api/packs/import', bytes, 'file', headers);
      const [first, joined] = await Promise.all([imports(zip), imports(zip)]);
      expect([first.status, joined.status]).toEqual([201, 201]);
      expect(joined.body).toEqual(first.body);
      await set.restart();
      const again = await imports(zip);
      expect([again.status, again.headers.get('location'), again.body]).toEqual([
        201,
        first.headers.get('location'),
        first.body,
      ]);
      const other = await imports(zipOfPack(minimalPack({ 'README.md': 'Something else.' })));
      expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      const path = set.source(minimalPack());
      const local = await set.json('/api/packs/import', { path }, { 'idempotency-key': 'import-0002' });
      expect([local.status, local.body['code']]).toEqual([409, 'PACK_ALREADY_INSTALLED']);
      expect((await set.json('/api/packs/import', { path }, { 'idempotency-key': 'bad' })).status).toBe(400);
      expect(set.leftovers()).toEqual([]);
    });

    it('installs nothing of a pack with errors, and answers all of them', async () => {
      await set.start();
      const bad = minimalPack({ 'assets/run.exe': 'MZ', 'scenes/room.yaml': 'scene_id: room\n' });
      const answer = await set.json('/api/packs/import', { path: set.source(bad) });
      expect(answer).toMatchObject({ status: 422, body: { code: 'PACK_INVALID' } });
      expect(set.rules(answer)).toEqual(
        expect.arrayContaining(['file.forbidden-extension', 'file.executable-signature', 'schema.scene']),
      );
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
      expect((await set.get('/api/packs')).body).toEqual({ packs: [] });
    });

    it.each([
      ['a symbolic link', zipBytes([{ name: 'a', data: '/etc/passwd', mode: 0o120777 }]), 'zip.symlink'],
      ['a name that leads out', zipBytes([{ name: '../../evil.txt', data: 'x' }]), 'zip.path-escape'],
      ['a promise of more than 500 MB', zipBytes([{ name: 'a', data: 'x', size: 600_000_000 }]), 'zip.too-large'],
      ['no archive', Buffer.from('hello'), 'zip.invalid'],
      ['an empty file', Buffer.alloc(0), 'zip.invalid'],
    ])('refuses an upload with %s', async (_name, bytes, rule) => {
      await set.start();
      const answer = await set.upload('/api/packs/import', bytes);
      expect(answer).toMatchObject({ status: 422, body: { code: 'PACK_INVALID' } });
      expect(set.rules(answer)).toEqual([rule]);
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
      expect(existsSync(path.join(set.data(), 'evil.txt'))).toBe(false);
    });

    it('answers 400 for a path that is not there, an unknown member, and a file in another field', async () => {
      await set.start();
      for (const answer of [
        await set.json('/api/packs/import', { path: path.join(set.folder(), 'nothing') }),
        await set.json('/api/packs/validate', { path: 'a\0b' }),
        await set.json('/api/packs/import', { path: '/tmp', evil: 1 }),
        await set.json('/api/packs/import', {}),
        await set.upload('/api/packs/import', zipOfPack(minimalPack()), 'pack'),
      ])
        expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      expect(set.leftovers()).toEqual([]);
    });

    it('does not copy what a link in a folder points to', async () => {
      await set.start();
      const root = set.source(minimalPack());
      mkdirSync(path.join(root, 'assets'));
      symlinkSync('/etc/passwd', path.join(root, 'assets/note.txt'));
      const answer = await set.json('/api/packs/import', { path: root });
      expect(answer.status).toBe(422);
      expect(set.rules(answer)).toContain('file.symlink');
    });

    it('is undone by a crash before the move, and whole after it', async () => {
      await set.start();
      await set.stop();
      // As a crash leaves it: a half-filled staging folder, and a folder that was moved but whose rows were not committed.
      set.source({ 'manifest.yaml': 'half' }, 'data/staging/import-1');
      set.source(minimalPack(), 'data/packs/sample.pack');
      await set.start();
      expect(set.leftovers()).toEqual([]);
      expect((await set.get('/api/packs/sample.pack')).body).toMatchObject({ built_in: false, scenario_count: 1 });
    });
  });

  describe('validate', () => {
    it('installs nothing, and an installed pack is valid', async () => {
      await set.start();
      expect((await set.upload('/api/packs/validate', zipOfPack(minimalPack()))).body).toMatchObject({ valid: true });
      expect([set.installed(), set.leftovers()]).toEqual([[], []]);
      await set.json('/api/packs/import', { path: set.source(minimalPack()) });
      const again = await set.json('/api/packs/validate', { path: path.join(set.data(), 'packs/sample.pack') });
      expect(again).toMatchObject({ status: 200, body: { valid: true } });
    });

    it('answers 200 with the findings of a pack that is not valid', async () => {
      await set.start();
      const answer = await set.upload('/api/packs/validate', zipOfPack(minimalPack({ 'manifest.yaml': null })));
      expect(answer).toMatchObject({ status: 200, body: { valid: false } });
      expect(set.rules(answer)).toContain('schema.manifest');
    });
  });
});
