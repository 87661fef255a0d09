import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Draft, DraftCheck, DraftDetail, DraftText, Finding } from '@parley/shared/contracts';
import { minimalPack, writePack } from '@parley/shared/testing';
import { packServiceFixture } from '../../testing/pack-service-fixture';

const FORM = {
  who: 'Marta, my team lead',
  want: 'work from home on Fridays',
  need: 'that somebody is there when a customer calls',
};
const SCENARIO = 'scenarios/a_talk_with_marta.yaml';

describe('the workbench', () => {
  const set = packServiceFixture();
  const json = { 'content-type': 'application/json' };
  const begin = async (body: unknown = { form: FORM }): Promise<Draft> =>
    (await set.json('/api/workbench/drafts', body)).body as unknown as Draft;
  const at = (id: string, file: string): string => `/api/workbench/drafts/${id}/files/${file}`;
  const read = async (id: string, file: string): Promise<DraftText> =>
    (await set.get(at(id, file))).body as unknown as DraftText;
  const save = (id: string, file: string, text: string, base: string | null) =>
    set.call('PUT', at(id, file), { headers: json, body: JSON.stringify({ text, base_version: base }) });
  const edit = async (id: string, file: string, change: (text: string) => string) => {
    const { text, version } = await read(id, file);
    expect(change(text)).not.toBe(text);
    return save(id, file, change(text), version);
  };
  const check = async (id: string): Promise<DraftCheck> =>
    (await set.json(`/api/workbench/drafts/${id}/check`, {})).body as unknown as DraftCheck;

  it('makes a draft of the form: whole, checked without a finding, listed, and not installed', async () => {
    await set.start();
    const draft = await begin();
    expect(draft).toMatchObject({ draft_id: 'my.a_talk_with_marta', name: 'A talk with Marta', pack_version: '1.0.0' });
    const detail = (await set.get(`/api/workbench/drafts/${draft.draft_id}`)).body as unknown as DraftDetail;
    expect(detail.files.map(({ path: file, kind }) => [file, kind])).toEqual(
      expect.arrayContaining([
        ['manifest.yaml', 'manifest'],
        [SCENARIO, 'scenario'],
        ['tests/skilled.yaml', 'tests'],
        ['LICENSE', 'text'],
      ]),
    );
    const found = await check(draft.draft_id);
    expect([found.valid, found.findings]).toEqual([true, []]);
    expect(found.scripts.map(({ result, ending }) => [result, ending])).toEqual([
      ['passed', 'turned_away'],
      ['passed', 'out_of_time'],
      ['passed', 'a_next_step'],
    ]);
    expect(found.names.moves).toContain('said_it');
    expect(found.names.emotions).toContain('relieved');
    expect(found.names.files).toContain('npcs/person.yaml');
    expect(set.installed()).toEqual([]);
    expect((await begin()).draft_id).toBe('my.a_talk_with_marta_2');
    expect((await set.get('/api/workbench/drafts')).body['drafts']).toHaveLength(2);
    expect(set.leftovers()).toEqual([]);
  });

  it('tells the story of a scenario: how soon each thing can come, and what never can', async () => {
    await set.start();
    const { draft_id: id } = await begin();
    const [before] = (await check(id)).stories;
    const ending = before?.steps.find((step) => step.id === 'a_next_step');
    expect(ending?.waits_for).toEqual(['said_it', 'fixed_step']);
    expect(ending?.when).toContain('the move said_it was made');
    expect(ending?.reach.every(({ turns }) => turns !== null && turns >= 1)).toBe(true);
    await edit(id, SCENARIO, (text) =>
      text.replace(/(id: sits_back\n\s+when:\n)/, '$1      - type: line\n        value: 40\n'),
    );
    const after = await check(id);
    const never = after.stories[0]?.steps.find((step) => step.id === 'sits_back');
    expect(never?.reach.map(({ turns }) => turns)).toEqual([null, null, null, null]);
    expect(never?.reach[0]?.why).toMatch(/line 40/);
    const place = after.findings.find(({ rule }) => rule === 'lint.dead-event');
    expect([place?.file, place?.line]).toEqual([SCENARIO, never?.line]);
  });

  it('finds a mistake with its place, and nothing more of it once it is mended', async () => {
    await set.start();
    const { draft_id: id } = await begin();
    await edit(id, SCENARIO, (text) => text.replace('emotion: curious', 'emotion: curios'));
    const { valid, findings, names } = await check(id);
    expect(valid).toBe(false);
    expect(findings[0]).toMatchObject({ severity: 'error', file: SCENARIO, line: expect.any(Number) as number });
    expect(names.moves).toContain('said_it');
    const refused = await set.json(`/api/workbench/drafts/${id}/install`, {});
    expect([refused.status, refused.body['code']]).toEqual([422, 'PACK_INVALID']);
    await edit(id, SCENARIO, (text) => text.replace('emotion: curios\n', 'emotion: curious\n'));
    expect((await check(id)).findings).toEqual([]);
  });

  it('plays and installs a draft that a crash left a half saved file in', async () => {
    await set.start();
    const { draft_id: id, folder } = await begin();
    writeFileSync(path.join(folder, `${SCENARIO}.1f.saving`), 'half');
    const { valid, findings } = await check(id);
    expect([valid, findings.map(({ rule, severity }) => [rule, severity])]).toEqual([
      true,
      [['file.skipped', 'warning']],
    ]);
    expect((await set.json(`/api/workbench/drafts/${id}/install`, {})).status).toBe(201);
    const zip = await fetch(`${set.url()}/api/workbench/drafts/${id}/zip`);
    expect(zip.status).toBe(200);
    expect(Buffer.from(await zip.arrayBuffer()).includes('.saving')).toBe(false);
  });

  it('reads a file that does not parse, and says where', async () => {
    await set.start();
    const { draft_id: id } = await begin();
    await edit(id, 'npcs/person.yaml', (text) => `${text}\nbroken: [1, 2\n`);
    const { valid, findings } = await check(id);
    expect(valid).toBe(false);
    expect(findings.find(({ file }) => file === 'npcs/person.yaml')?.line).toBeGreaterThan(1);
  });

  it('refuses what another tab saved first, and loses neither text', async () => {
    await set.start();
    const { draft_id: id } = await begin();
    const first = await read(id, 'npcs/person.yaml');
    expect((await save(id, 'npcs/person.yaml', `${first.text}# one\n`, first.version)).status).toBe(200);
    const second = await save(id, 'npcs/person.yaml', `${first.text}# two\n`, first.version);
    expect([second.status, second.body['code']]).toEqual([409, 'INVALID_STATE']);
    expect(second.body['detail']).toMatch(/another tab/);
    expect((await read(id, 'npcs/person.yaml')).text).toBe(`${first.text}# one\n`);
    expect((await save(id, 'npcs/person.yaml', 'x', null)).status).toBe(409);
    expect((await save(id, 'npcs/second.yaml', 'x', 'gone')).status).toBe(409);
    expect((await save(id, 'npcs/second.yaml', 'npc_id: second\n', null)).status).toBe(200);
    expect((await set.call('DELETE', at(id, 'npcs/second.yaml'))).status).toBe(204);
    expect((await set.call('DELETE', at(id, 'manifest.yaml'))).status).toBe(409);
  });

  it.each([
    '..%2f..%2fevil.yaml',
    'npcs/%2e%2e/%2e%2e/evil.yaml',
    '%2fetc/passwd',
    'npcs%5cevil.yaml',
    'npcs/evil.sh',
    'evil.yaml',
    '.git/config',
    'npcs/con.yaml',
  ])('writes and reads nothing at %s', async (file) => {
    await set.start();
    const { draft_id: id } = await begin();
    const saved = await save(id, file, 'x: 1\n', null);
    expect([400, 404]).toContain(saved.status);
    expect([400, 404]).toContain((await set.get(at(id, file))).status);
    expect(existsSync(path.join(set.data(), 'evil.yaml'))).toBe(false);
    expect(existsSync(path.join(set.data(), 'drafts', 'evil.yaml'))).toBe(false);
  });

  it('follows no link out of a draft, and takes no text that is too large', async () => {
    await set.start();
    const { draft_id: id, folder } = await begin();
    const secret = path.join(set.folder(), 'secret');
    mkdirSync(secret);
    writeFileSync(path.join(secret, 'own.yaml'), 'secret: 1\n');
    symlinkSync(secret, path.join(folder, 'scenes'));
    symlinkSync(path.join(secret, 'own.yaml'), path.join(folder, 'npcs', 'linked.yaml'));
    for (const file of ['scenes/own.yaml', 'npcs/linked.yaml']) expect((await set.get(at(id, file))).status).toBe(404);
    // A folder that leads elsewhere is refused; a file takes the place of the link and not of what it leads to.
    expect((await save(id, 'scenes/own.yaml', 'mine: 1\n', null)).status).toBe(400);
    expect((await save(id, 'npcs/linked.yaml', 'mine: 1\n', null)).status).toBe(200);
    expect(readFileSync(path.join(secret, 'own.yaml'), 'utf8')).toBe('secret: 1\n');
    const large = await save(id, 'npcs/large.yaml', 'ä'.repeat(200_000), null);
    expect([large.status, large.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await set.get('/api/workbench/drafts/nothing')).status).toBe(404);
    expect((await set.get('/api/workbench/drafts/..%2fpacks')).status).toBe(404);
  });

  it('installs a draft and replaces it, exports the same bytes each time, and deletes it', async () => {
    await set.start();
    const { draft_id: id } = await begin();
    for (const _time of [1, 2]) {
      const answer = await set.json(`/api/workbench/drafts/${id}/install`, {});
      expect([answer.status, (answer.body['pack'] as { version: string }).version]).toEqual([201, '1.0.0']);
    }
    expect(set.installed()).toEqual([id]);
    const zips = await Promise.all(
      [1, 2].map(async () => {
        const answer = await fetch(`${set.url()}/api/workbench/drafts/${id}/zip`);
        expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.zip"`);
        return Buffer.from(await answer.arrayBuffer());
      }),
    );
    expect(zips[0]?.equals(zips[1] ?? Buffer.alloc(0))).toBe(true);
    expect((await set.call('DELETE', `/api/packs/${id}`)).status).toBe(204);
    expect((await set.upload('/api/packs/import', zips[0] ?? Buffer.alloc(0))).status).toBe(201);
    await edit(id, 'manifest.yaml', (text) => text.replace('pack_id: my.', 'pack_id: "My '));
    const broken = await set.get(`/api/workbench/drafts/${id}/zip`);
    expect([broken.status, (broken.body['details'] as { findings: Finding[] }).findings[0]?.file]).toEqual([
      422,
      'manifest.yaml',
    ]);
    expect((await set.call('DELETE', `/api/workbench/drafts/${id}`)).status).toBe(204);
    expect((await set.get('/api/workbench/drafts')).body['drafts']).toEqual([]);
    expect(set.installed()).toEqual([id]);
    expect(set.leftovers()).toEqual([]);
  });

  it('copies a pack that comes with Parley under an id of its own, and one that was imported under its own', async () => {
    writePack(path.join(set.builtIn(), 'sample.pack'), minimalPack());
    await set.start();
    const copy = await begin({ copy_of: 'sample.pack' });
    expect([copy.draft_id, copy.pack_id]).toEqual(['my.sample.pack', 'my.sample.pack']);
    expect((await check(copy.draft_id)).valid).toBe(true);
    expect((await set.json(`/api/workbench/drafts/${copy.draft_id}/install`, {})).status).toBe(201);
    expect((await begin({ copy_of: 'my.sample.pack' })).draft_id).toBe('my.sample.pack_2');
    expect((await set.json('/api/workbench/drafts', { copy_of: 'none' })).body['code']).toBe('PACK_NOT_FOUND');
  });

  it('says every member of the format, for the editor', async () => {
    await set.start();
    const { kinds } = (await set.get('/api/workbench/format')).body as unknown as {
      kinds: Record<string, { path: string; values: string[]; holds: string }[]>;
    };
    const member = (kind: string, at: string) => kinds[kind]?.find((one) => one.path === at);
    expect(member('npc', 'display_name')).toMatchObject({ required: true, holds: 'value' });
    expect(member('scenario', 'moves')?.holds).toBe('list');
    expect(member('scenario', 'moves[].repeat')?.values).toEqual(['once', 'halved', 'always']);
    expect(member('condition', 'type')?.values).toContain('variable_above');
    expect(member('sign', 'tone')?.values).toContain('apology');
  });
});
