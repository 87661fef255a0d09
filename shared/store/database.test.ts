import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { scrubDeleted } from './database';
import {
  everyByte,
  openMigrated,
  newSession,
  newTurn,
  storeFixture,
  type StoreFixture,
} from '../testing/store/store-fixture';
import { migrate } from './migrate';
import { MIGRATIONS } from './migrations';
import { insertSession } from './session-store';
import { appendTurns, indexTurns } from './turn-store';

import { clearConversations, scrubCleared } from './clear-conversations';
import { deleteSession } from './session-store';

const COUNT_SYNCS = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
static int count(const char *name, int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int log = open("/proc/self/cwd/syncs", O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log >= 0) { (void)!write(log, "x", 1); close(log); }
  return real(descriptor);
}
int fdatasync(int descriptor) { return count("fdatasync", descriptor); }
int fsync(int descriptor) { return count("fsync", descriptor); }
`;

describe('openDatabase', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = storeFixture();
  });
  afterEach(() => fixture.remove());

  it('makes a private folder and a private file, log included', async () => {
    const database = await openMigrated(fixture);
    await database.write((transaction) => insertSession(transaction, newSession()));
    expect(statSync(fixture.dataDir).mode & 0o777).toBe(0o700);
    for (const path of [fixture.file, `${fixture.file}-wal`, `${fixture.file}-shm`]) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(await database.dialect.sizeInBytes()).toBeGreaterThan(4096);
    expect(await database.dialect.libraryVersion()).toMatch(/^SQLite 3\.\d+\.\d+$/);
  });

  it('takes away what others may do with a folder and a file that were there before', async () => {
    mkdirSync(fixture.dataDir, { mode: 0o755 });
    writeFileSync(fixture.file, '', { mode: 0o644 });
    await openMigrated(fixture);
    expect(statSync(fixture.dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(fixture.file).mode & 0o777).toBe(0o600);
  });

  it('sets every connection to be durable and to overwrite what is deleted', async () => {
    const { knex } = await fixture.open();
    const pragma = async (name: string) => Object.values(((await knex.raw(`pragma ${name}`)) as object[])[0] ?? {})[0];
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('secure_delete')).toBe(1);
    expect(await pragma('busy_timeout')).toBeLessThanOrEqual(50);
  });

  it('waits for the disk at every commit', () => {
    const commits = 50;
    const program = `const { openDatabase, migrate } = require('store');
      const { writeFileSync } = require('node:fs');
      (async () => {
        const database = await openDatabase({ dataDir: process.argv[2] });
        await migrate(database);
        writeFileSync('syncs', '');
        for (let i = 0; i < ${commits}; i += 1) {
          await database.write((trx) => trx.knex('settings').insert({ key: 'k' + i, value: '1' }));
        }
        await database.close();
      })();`;
    mkdirSync(fixture.dataDir);
    writeFileSync(join(fixture.dataDir, 'count.c'), COUNT_SYNCS);
    execFileSync('cc', ['-shared', '-fPIC', '-o', 'count.so', 'count.c', '-ldl'], { cwd: fixture.dataDir });
    const source = program.replace("require('store')", `require(${JSON.stringify(join(__dirname, 'index.ts'))})`);
    const run = spawnSync(
      process.execPath,
      ['-r', join(__dirname, '../testing/typescript-hook.cjs'), '-', fixture.dataDir],
      {
        cwd: fixture.dataDir,
        input: source,
        env: { PATH: '/usr/bin:/bin', LD_PRELOAD: join(fixture.dataDir, 'count.so') },
        encoding: 'utf8',
      },
    );
    expect(run.stderr).toBe('');
    expect(statSync(join(fixture.dataDir, 'syncs')).size).toBeGreaterThanOrEqual(commits);
  });

  it('refuses an emptied database when the folder says that there was one, and leaves it alone', async () => {
    await (await openMigrated(fixture)).close();
    truncateSync(fixture.file);
    await expect(fixture.open()).rejects.toMatchObject({
      problem: 'emptied',
      message: expect.not.stringContaining('\n'),
    });
    expect(statSync(fixture.file).size).toBe(0);
  });

  it('refuses to begin anew where a folder held a database that is missing, also after the folder was moved', async () => {
    await (await openMigrated(fixture)).close();
    rmSync(fixture.file);
    const refused = {
      problem: 'emptied',
      message: expect.stringMatching(
        /missing although .* npm run restore -- FILE, or begin anew with npm start -- --new/,
      ),
    };
    await expect(fixture.open()).rejects.toMatchObject(refused);
    expect(existsSync(fixture.file)).toBe(false);
    const moved = join(fixture.dataDir, '..', 'moved');
    renameSync(fixture.dataDir, moved);
    await expect(fixture.open({ dataDir: moved })).rejects.toMatchObject(refused);
  });

  it('opens another file in a folder that held one elsewhere', async () => {
    await (await openMigrated(fixture)).close();
    await expect(fixture.open({ url: 'sqlite:other.db' })).resolves.toBeDefined();
  });

  it('refuses to begin anew beside the log of a database that is missing', async () => {
    mkdirSync(fixture.dataDir);
    writeFileSync(`${fixture.file}-wal`, 'frames');
    await expect(fixture.open()).rejects.toMatchObject({ problem: 'emptied' });
    expect(existsSync(fixture.file)).toBe(false);
  });

  it.each([
    ['a file that is no database', () => 'not a database at all, but long enough to hold a header: '.repeat(4)],
    ['a file that ends in its header', () => 'SQLite format 3\0'],
  ])('keeps %s as it is', async (_name, content) => {
    mkdirSync(fixture.dataDir);
    writeFileSync(fixture.file, content());
    await expect(fixture.open()).rejects.toMatchObject({ problem: 'corrupt', name: 'DatabaseOpenError' });
    expect(readFileSync(fixture.file, 'latin1')).toBe(content());
  });

  it('refuses a database that was cut short', async () => {
    await (await openMigrated(fixture)).close();
    truncateSync(fixture.file, statSync(fixture.file).size - 4096);
    await expect(fixture.open()).rejects.toMatchObject({ problem: 'corrupt' });
  });

  it('refuses a database whose pages are overwritten', async () => {
    await (await openMigrated(fixture)).close();
    const bytes = readFileSync(fixture.file);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(fixture.file, bytes);
    await expect(fixture.open()).rejects.toMatchObject({ problem: 'corrupt' });
    expect(readFileSync(fixture.file).equals(bytes)).toBe(true);
  });

  it('says in one line which folder cannot be written', async () => {
    writeFileSync(fixture.dataDir, 'a file where the folder should be');
    await expect(fixture.open()).rejects.toMatchObject({
      problem: 'folder_not_writable',
      message: expect.stringMatching(/^The data folder .*data cannot be written \(E\w+\): [^\n]+$/),
    });
  });

  it('takes the file from a URL, and refuses systems that it does not speak to', async () => {
    const elsewhere = join(fixture.dataDir, 'elsewhere', 'played.db');
    const database = await fixture.open({ url: `sqlite://${elsewhere}` });
    expect(database.dialect.file).toBe(elsewhere);
    expect((await fixture.open({ url: 'sqlite:other.db' })).dialect.file).toBe(join(fixture.dataDir, 'other.db'));
    await expect(fixture.open({ url: 'mysql://localhost/parley' })).rejects.toMatchObject({
      problem: 'unsupported_url',
      message: expect.stringContaining('SIM_DATABASE_URL'),
    });
  });

  it('may be closed twice', async () => {
    const database = await fixture.open();
    await database.close();
    await expect(database.close()).resolves.toBeUndefined();
  });
});

describe('deleted text', () => {
  const SECRET = 'quincunx marmalade';
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = storeFixture();
  });
  afterEach(() => fixture.remove());

  async function playedSession() {
    const database = await openMigrated(fixture);
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    for (let index = 1; index < 40; index += 1) {
      const turns = [newTurn(index, `I meant ${SECRET} number ${index}`, { raw_output: SECRET })];
      await database.write(async (transaction) => {
        await appendTurns(transaction, session.id, turns);
        await indexTurns(transaction, session, turns);
      });
    }
    expect(everyByte(fixture.dataDir).includes('quincunx')).toBe(true);
    return { database, session };
  }

  it('is in no byte of the folder after a session was deleted', async () => {
    const { database, session } = await playedSession();
    await database.dialect.flushDeleted();
    await database.write((transaction) => deleteSession(transaction, session.id));
    expect(await scrubDeleted(database)).toBe(true);
    expect(everyByte(fixture.dataDir).includes('quincunx')).toBe(false);
    expect(everyByte(fixture.dataDir).includes('marmalade')).toBe(false);
  });

  it('is in no byte of the folder after everything was cleared, backups included', async () => {
    const { database } = await playedSession();
    await migrate(database, {
      migrations: [{ id: MIGRATIONS.length + 1, name: 'nothing', up: async () => undefined }],
    });
    expect(readdirSync(join(fixture.dataDir, 'backups'))).toHaveLength(1);
    const cleared = await clearConversations(database);
    expect(cleared).toEqual({ sessions: 1, turns: 39, events: 0, debriefs: 0, recaps: 0 });
    await scrubCleared(database);
    expect(readdirSync(join(fixture.dataDir, 'backups'))).toEqual([]);
    expect(everyByte(fixture.dataDir).includes('quincunx')).toBe(false);
  });

  it('goes from the log only when nobody reads it any more, and says so', async () => {
    const { database, session } = await playedSession();
    const reader = await fixture.open();
    await reader.knex.raw('begin');
    await reader.knex('turns').first('text');
    await database.write((transaction) => deleteSession(transaction, session.id));
    expect(await scrubDeleted(database)).toBe(false);
    await reader.knex.raw('commit');
    expect(await scrubDeleted(database)).toBe(true);
    expect(everyByte(fixture.dataDir).includes('quincunx')).toBe(false);
  });
});
