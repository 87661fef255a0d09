import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { NEWEST_SCHEMA, openDatabase } from '@parley/shared/store';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../../testing/session-api-set';
import { createBackup } from './create-backup';
import { restoreBackup } from './restore-backup';
import { writeArchive } from './write-archive';

type Tables = Record<string, unknown[]>;

/** Every table with all its rows; those behind the full text are compared, too. */
async function tablesOf(dataDir: string): Promise<Tables> {
  const database = await openDatabase({ dataDir });
  try {
    const names = (await database.knex('sqlite_master').where({ type: 'table' }).pluck('name')) as string[];
    const tables: Tables = {};
    for (const name of names.sort()) tables[name] = (await database.knex(name).select('*')) as unknown[];
    return tables;
  } finally {
    await database.close();
  }
}

describe('backup and restore', () => {
  let set: SessionApiSet;
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    set = await startSessionApiSet();
    folder = temporaryFolder('backup');
    file = path.join(folder.path, 'one.zip');
    const packs = path.join(set.folder.path, 'packs', 'my_pack', 'assets');
    mkdirSync(packs, { recursive: true });
    writeFileSync(path.join(packs, 'Ünï (1).png'), Buffer.from([1, 2, 3]));
    writeFileSync(path.join(set.folder.path, 'packs', 'my_pack', 'manifest.yaml'), 'pack_id: my_pack\n');
    writeDraft('my.talk/manifest.yaml', 'pack_id: my.talk\n');
    writeDraft('my.talk/npcs/käthe.yaml', 'display_name: Käthe\n');
  });
  afterEach(async () => {
    await set.stop();
    folder.remove();
  });

  const writeDraft = (name: string, text: string, dataDir = set.folder.path): void => {
    const target = path.join(dataDir, 'drafts', ...name.split('/'));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const draftsOf = (dataDir: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(path.join(dataDir, 'drafts'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .map((at) => [path.relative(dataDir, at).split(path.sep).join('/'), readFileSync(at, 'utf8')]),
    );

  const here = () => ({ dataDir: set.folder.path, url: null });
  const there = (name = 'restored') => ({ dataDir: path.join(folder.path, name), url: null });
  const begin = async (): Promise<string> => {
    const { body } = await set.call<{ id: string }>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    await set.call('POST', `/api/sessions/${body.id}/start`);
    return body.id;
  };
  const say = async (id: string, text: string): Promise<void> => {
    expect((await set.call('POST', `/api/sessions/${id}/turn`, { text })).status).toBe(200);
  };

  it('restores every row of every table and every file of packs and drafts into an empty folder', async () => {
    const id = await begin();
    await say(id, 'Where is the kingfisher?');
    const made = await createBackup(here(), file);
    expect(made).toMatchObject({ sessions: 1, schema_version: NEWEST_SCHEMA, packFiles: 2, drafts: 1, leftOut: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['one.zip']);
    expect(await restoreBackup(there(), file)).toMatchObject({ kept: null, sessions: 1 });
    expect(await tablesOf(there().dataDir)).toEqual(await tablesOf(set.folder.path));
    expect(readFileSync(path.join(there().dataDir, 'packs', 'my_pack', 'assets', 'Ünï (1).png'))).toEqual(
      Buffer.from([1, 2, 3]),
    );
    expect(draftsOf(there().dataDir)).toEqual({
      'drafts/my.talk/manifest.yaml': 'pack_id: my.talk\n',
      'drafts/my.talk/npcs/käthe.yaml': 'display_name: Käthe\n',
    });
  });

  it('says which files of drafts it leaves out, and leaves out what is half saved', async () => {
    // Every system writes a DEL in a name, and a backup takes no control character.
    const refused = 'my.talk/assets/a\u007fb.png';
    writeDraft(refused, 'its name is no name for a backup');
    writeDraft('my.talk/manifest.yaml.1.saving', 'pack_');
    expect(await createBackup(here(), file)).toMatchObject({ drafts: 1, leftOut: [`drafts/${refused}`] });
    await restoreBackup(there(), file);
    expect(Object.keys(draftsOf(there().dataDir))).toEqual([
      'drafts/my.talk/manifest.yaml',
      'drafts/my.talk/npcs/käthe.yaml',
    ]);
  });

  it('leaves drafts where they are when the backup was made before it knew them', async () => {
    await createBackup(here(), file);
    await restoreBackup(there(), file);
    writeDraft('later/manifest.yaml', 'pack_id: later\n', there().dataDir);
    const before = draftsOf(there().dataDir);
    const old = path.join(folder.path, 'old.zip');
    const about = { parley: '0.1.0', schema_version: NEWEST_SCHEMA, created_at: '2026-03-04T05:06:07.000Z' };
    const database = [{ name: 'parley.sqlite', path: path.join(there().dataDir, 'parley.sqlite') }];
    await writeArchive(old, database, { ...about, format: 1 });
    await restoreBackup(there(), old);
    expect(draftsOf(there().dataDir)).toEqual(before);
    const none = path.join(folder.path, 'none.zip');
    await writeArchive(none, database, { ...about, format: 2 });
    const { kept } = await restoreBackup(there(), none);
    expect(draftsOf(there().dataDir)).toEqual({});
    expect(draftsOf(String(kept))).toEqual(before);
  });

  it('is consistent while turns run: each talk is there up to one of its turns, and none waits for it', async () => {
    const ids = [await begin(), await begin(), await begin()];
    let isDone = false;
    const playing = ids.map(async (id) => {
      for (let turn = 1; !isDone && turn < 8; turn += 1) await say(id, `Turn ${turn} of a talk.`);
    });
    await createBackup(here(), file);
    isDone = true;
    await Promise.all(playing);
    await restoreBackup(there(), file);
    const [before, after] = [await tablesOf(there().dataDir), await tablesOf(set.folder.path)];
    const turnsOf = (tables: Tables, id: unknown) =>
      (tables['turns'] as { session_id: unknown }[]).filter((turn) => turn.session_id === id);
    for (const session of before['sessions'] as { id: string; turn_count: number }[]) {
      const turns = turnsOf(before, session.id);
      expect(turns).toHaveLength(session.turn_count);
      expect(turnsOf(after, session.id).slice(0, turns.length)).toEqual(turns);
    }
    expect((before['turn_search_content'] ?? []).length).toBe((before['turns'] ?? []).length);
  });

  it('keeps what it replaces, and refuses while Parley runs', async () => {
    await begin();
    await createBackup(here(), file);
    await expect(restoreBackup(here(), file)).rejects.toThrow(
      /^Parley runs with the data folder .* Run npm stop first/,
    );
    await restoreBackup(there(), file);
    writeFileSync(path.join(there().dataDir, 'packs', 'later.txt'), 'later');
    writeDraft('later/manifest.yaml', 'later', there().dataDir);
    const { kept } = await restoreBackup(there(), file);
    expect(readdirSync(String(kept)).sort()).toEqual(['drafts', 'packs', 'parley.sqlite']);
    expect(draftsOf(String(kept))).toEqual({ ...draftsOf(there().dataDir), 'drafts/later/manifest.yaml': 'later' });
    expect(existsSync(path.join(String(kept), 'packs', 'later.txt'))).toBe(true);
    expect(existsSync(path.join(there().dataDir, 'packs', 'later.txt'))).toBe(false);
    expect(readdirSync(there().dataDir).filter((name) => name.startsWith('restore-'))).toEqual([]);
  });

  it('refuses a backup with a flipped byte, half a backup and what is none, and changes nothing', async () => {
    await begin();
    await createBackup(here(), file);
    await restoreBackup(there(), file);
    const [bytes, before] = [readFileSync(file), await tablesOf(there().dataDir)];
    const flipped = Buffer.from(bytes);
    flipped[2_000] = (flipped[2_000] ?? 0) ^ 0xff;
    for (const [name, content] of [
      ['flipped', flipped],
      ['half', bytes.subarray(0, bytes.length / 2)],
      ['other', Buffer.from('no backup at all')],
      ['empty', Buffer.alloc(0)],
    ] as const) {
      const damaged = path.join(folder.path, name);
      writeFileSync(damaged, content);
      await expect(restoreBackup(there(), damaged)).rejects.toThrow(
        /cannot be restored: it is damaged or no backup \(.*Nothing was changed\.$/,
      );
    }
    expect(await tablesOf(there().dataDir)).toEqual(before);
    expect(readdirSync(there().dataDir).filter((name) => /^(restore|replaced)-/.test(name))).toEqual([]);
  });

  it('refuses what a newer version made, and a database in it that is damaged', async () => {
    const about = { format: 1, parley: '9.0.0', created_at: '2026-03-04T05:06:07.000Z' } as const;
    const made = path.join(folder.path, 'made.sqlite');
    writeFileSync(made, 'SQLite format 3\0 and nothing else');
    const files = [{ name: 'parley.sqlite', path: made }];
    await writeArchive(file, files, { ...about, schema_version: NEWEST_SCHEMA + 1 });
    await expect(restoreBackup(there(), file)).rejects.toThrow(
      /made by a newer version of Parley \(9\.0\.0.*update Parley first/,
    );
    const other = path.join(folder.path, 'two.zip');
    await writeArchive(other, files, { ...about, schema_version: 1 });
    await expect(restoreBackup(there(), other)).rejects.toThrow(/cannot be used \(.*\)\. Nothing was changed\.$/);
    expect(existsSync(path.join(there().dataDir, 'parley.sqlite'))).toBe(false);
  });

  it('refuses names that lead out of the folder', async () => {
    const made = path.join(folder.path, 'made');
    writeFileSync(made, 'x');
    const about = { format: 1, parley: '0.1.0', schema_version: 1, created_at: '2026-03-04T05:06:07.000Z' } as const;
    await writeArchive(
      file,
      [
        { name: 'parley.sqlite', path: made },
        { name: 'packs/a:b', path: made },
      ],
      about,
    );
    await expect(restoreBackup(there(), file)).rejects.toThrow(/does not say what it holds/);
  });

  it('takes a plain copy of a database, as the folder backups holds them, and leaves the packs', async () => {
    await begin();
    await createBackup(here(), file);
    await restoreBackup(there(), file);
    const copy = path.join(folder.path, 'schema-4.sqlite');
    const source = new BetterSqlite3(path.join(there().dataDir, 'parley.sqlite'), { readonly: true });
    await source.backup(copy);
    source.close();
    expect(await restoreBackup(there('other'), copy)).toMatchObject({ sessions: 1, created_at: null });
    expect(await restoreBackup(there(), copy)).toMatchObject({ sessions: 1 });
    expect(existsSync(path.join(there().dataDir, 'packs', 'my_pack', 'manifest.yaml'))).toBe(true);
  });

  it('writes over no file, and says what there is nothing of', async () => {
    writeFileSync(file, 'mine');
    await expect(createBackup(here(), file)).rejects.toThrow(/exists already\. Choose another name/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await expect(createBackup(there('nowhere'), path.join(folder.path, 'x'))).rejects.toThrow(/nothing to back up/);
    await expect(createBackup(here(), path.join(folder.path, 'no', 'such', 'x'))).rejects.toThrow(
      /could not be written \(ENOENT\)/,
    );
    await expect(restoreBackup(there(), path.join(folder.path, 'none'))).rejects.toThrow(/There is no file/);
  });
});
