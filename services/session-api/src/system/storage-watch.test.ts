import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createLogger, silentLogger } from '@parley/shared/service';
import {
  insertKeptAnswer,
  migrate,
  openDatabase,
  readFindings,
  writeFindings,
  type Database,
} from '@parley/shared/store';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { startSessionApiSet } from '../../testing/session-api-set';
import { StorageWatch, type StorageLimits } from './storage-watch';

/** SQLite writes its log back whenever it has grown by about four megabytes. */
const LIMIT = 6_000_000;
const PIECES = 25;

/** Writes some ten megabytes, the same rows over and over. */
async function writeMuch(database: Database): Promise<void> {
  for (let at = 0; at < PIECES; at += 1)
    await database
      .knex('settings')
      .insert({ key: 'much', value: String(at % 10).repeat(400_000) })
      .onConflict('key')
      .merge();
}

/** Another program that begins to read and does not stop. */
async function longReader(dataDir: string): Promise<Database> {
  const reader = await openDatabase({ dataDir });
  await reader.knex.raw('begin');
  await reader.knex('settings').select('key');
  return reader;
}

describe('StorageWatch', () => {
  let folder: TemporaryFolder;
  let database: Database;
  const now = new Date('2026-03-04T05:06:07.000Z');
  let lines: { level: string; reason?: string; bytes?: number; msg: string }[];
  beforeEach(async () => {
    folder = temporaryFolder('storage');
    database = await openDatabase({ dataDir: folder.path });
    await migrate(database);
    lines = [];
  });
  afterEach(async () => {
    await database.close();
    folder.remove();
  });

  const watch = (limits: Partial<StorageLimits> = {}): StorageWatch => {
    const stream = new Writable({
      write(line: Buffer, _encoding, done) {
        lines.push(JSON.parse(line.toString('utf8')) as (typeof lines)[number]);
        done();
      },
    });
    return new StorageWatch(database, createLogger('session_api', 'info', stream), () => now, {
      limits: { logBytes: LIMIT, ...limits },
    });
  };

  it('has nothing to say while the log is written back as usual', async () => {
    const storage = watch();
    await writeMuch(database);
    await storage.check();
    expect([storage.warnings(), lines]).toEqual([[], []]);
    expect(database.dialect.logSizeInBytes()).toBeLessThan(LIMIT);
  });

  it('warns once, in the log too, while a long reader lets the log grow, and says what to do', async () => {
    const storage = watch();
    const reader = await longReader(folder.path);
    await writeMuch(database);
    await storage.check();
    await storage.check();
    expect(storage.warnings()).toEqual([
      { code: 'log_large', message: expect.stringMatching(/\d+ MB.*close other programs.*npm stop/) },
    ]);
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', reason: 'log_large' })]);
    expect(lines[0]?.bytes).toBeGreaterThan(LIMIT);
    await reader.close();
    expect(await database.dialect.flushDeleted()).toBe(true);
    await storage.check();
    expect(storage.warnings()).toEqual([]);
  });

  it('looks by itself, again and again, until it is stopped', async () => {
    const storage = watch({ firstLookMs: 1, lookEveryMs: 1 });
    storage.start();
    const ballast = path.join(folder.path, 'ballast');
    await waitUntil('the ballast', () => existsSync(ballast));
    rmSync(ballast);
    await waitUntil('new ballast', () => existsSync(ballast));
    const reader = await longReader(folder.path);
    await writeMuch(database);
    await waitUntil('the warning in the log', () => lines.some((line) => line.reason === 'log_large'));
    await storage.stop();
    await reader.close();
  });

  it('reads through a database that was not closed in order, once, and tells of a log that was gone for a week', async () => {
    const found_at = new Date(now.getTime() - 3_600_000).toISOString();
    writeFindings(folder.path, { found_at, log_removed: true, check: null });
    const storage = watch();
    await storage.check();
    expect(readFindings(folder.path)).toEqual({ found_at, log_removed: true, check: 'ok' });
    expect(storage.health()).toEqual({
      status: 'ok',
      message: null,
      warnings: [{ code: 'log_removed', message: expect.stringMatching(/last talks are complete.*restore a backup/) }],
    });
    expect(lines.map((line) => line.msg)).toContain('read through the database');
    lines = [];
    await storage.check();
    expect(lines).toEqual([]);
    writeFindings(folder.path, { found_at: '2026-02-01T00:00:00.000Z', log_removed: true, check: 'ok' });
    expect(storage.warnings()).toEqual([]);
  });

  it('tells of damage that an earlier run found until the database was read again and is sound', async () => {
    writeFindings(folder.path, { found_at: now.toISOString(), log_removed: false, check: 'Tree 12: out of order' });
    const storage = watch();
    expect(storage.health()).toEqual({
      status: 'damaged',
      message: expect.stringMatching(/npm run restore -- FILE/),
      warnings: [{ code: 'database_damaged', message: expect.stringMatching(/npm run restore -- FILE/) }],
    });
    await storage.check();
    expect(storage.health()).toEqual({ status: 'ok', message: null, warnings: [] });
  });

  it('warns of a full disk although the ballast lies there', async () => {
    const storage = watch({ freeBytes: Number.MAX_SAFE_INTEGER });
    await storage.check();
    expect(existsSync(path.join(folder.path, 'ballast'))).toBe(true);
    expect(storage.warnings().map(({ code }) => code)).toEqual(['disk_nearly_full']);
    expect(storage.health().status).toBe('ok');
  });

  it('deletes what has served its time, at most once an hour', async () => {
    const answer = (key: string) =>
      database.write((transaction) =>
        insertKeptAnswer(transaction, {
          scope: 's',
          key,
          request_digest: '',
          status: 201,
          headers: {},
          body: {},
          created_at: '2026-01-01T00:00:00.000Z',
          expires_at: '2026-01-02T00:00:00.000Z',
        }),
      );
    await answer('one');
    const storage = watch();
    await storage.check();
    expect(await database.knex('kept_answers').pluck('key')).toEqual([]);
    await answer('two');
    await storage.check();
    expect(await database.knex('kept_answers').pluck('key')).toEqual(['two']);
  });

  it('tells health of a data folder that was deleted, and turns answer 503 with what to do', async () => {
    const set = await startSessionApiSet();
    try {
      const { body: session } = await set.call<{ id: string }>('POST', '/api/sessions', {
        scenario_id: 'late_delivery',
      });
      await set.call('POST', `/api/sessions/${session.id}/start`, {});
      rmSync(set.folder.path, { recursive: true });
      const turn = await set.call('POST', `/api/sessions/${session.id}/turn`, { text: 'Hello there.' });
      expect(turn).toMatchObject({
        status: 503,
        body: {
          code: 'SERVICE_UNAVAILABLE',
          detail: expect.stringMatching(/no longer in the data folder, and nothing of this was stored/),
          details: { reason: 'database_gone' },
        },
      });
      const { body: health } = await set.call('GET', '/api/health');
      expect(health).toMatchObject({
        status: 'degraded',
        storage: { status: 'gone', message: expect.any(String), warnings: [{ code: 'database_gone' }] },
      });
    } finally {
      await set.stop();
    }
  });

  it('tells health of a data folder that can no longer be looked at, and looks on', async () => {
    const set = await startSessionApiSet({ overrides: { storage: { firstLookMs: 5, lookEveryMs: 5 } } });
    const statusOf = async (path: string) => (await set.call('GET', path)).status;
    const away = `${set.folder.path}.away`;
    try {
      await waitUntil('the first look', () => existsSync(path.join(set.folder.path, 'ballast')));
      renameSync(set.folder.path, away);
      // A link to itself: every look at what is in it fails, for the one who may everything, too.
      symlinkSync(set.folder.path, set.folder.path);
      const { status, body } = await set.call('GET', '/api/health');
      expect([status, body]).toMatchObject([
        200,
        { status: 'degraded', storage: { status: 'gone', message: expect.stringMatching(/data folder/) } },
      ]);
      expect(await statusOf('/api/diag')).toBe(200);
      rmSync(set.folder.path);
      renameSync(away, set.folder.path);
      rmSync(path.join(set.folder.path, 'ballast'));
      await waitUntil('another look', () => existsSync(path.join(set.folder.path, 'ballast')));
      expect((await set.call('GET', '/api/health')).body).toMatchObject({ storage: { status: 'ok' } });
    } finally {
      await set.stop();
      rmSync(away, { recursive: true, force: true });
    }
  });

  it('goes on looking after a look that failed', async () => {
    const { dialect } = database;
    let fails = true;
    const broken: Database = {
      ...database,
      dialect: {
        ...dialect,
        logSizeInBytes: () => {
          if (fails) throw new Error('EIO');
          return dialect.logSizeInBytes();
        },
      },
    };
    const storage = new StorageWatch(broken, silentLogger(), () => now);
    await storage.check();
    fails = false;
    rmSync(path.join(folder.path, 'ballast'));
    await storage.check();
    expect(existsSync(path.join(folder.path, 'ballast'))).toBe(true);
    await storage.stop();
  });

  it('tells /api/diag of it', async () => {
    const set = await startSessionApiSet({
      overrides: { storage: { logBytes: LIMIT } },
    });
    const diagnostics = async () =>
      (await set.call<{ warnings: { code: string }[]; log_bytes: number }>('GET', '/api/diag')).body;
    try {
      expect((await diagnostics()).warnings).toEqual([]);
      const reader = await longReader(set.folder.path);
      const writer = await openDatabase({ dataDir: set.folder.path });
      await writeMuch(writer);
      const found = await waitUntil('the warning', async () => {
        const now = await diagnostics();
        return now.warnings.length > 0 ? now : null;
      });
      expect(found.warnings.map((one) => one.code)).toEqual(['log_large']);
      expect(found.log_bytes).toBeGreaterThan(LIMIT);
      await reader.close();
      await writer.close();
    } finally {
      await set.stop();
    }
  });
});
