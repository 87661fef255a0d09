import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createLogger } from '@parley/shared/service';
import { migrate, openDatabase, type Database } from '@parley/shared/store';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { startSessionApiSet } from '../testing/session-api-set';
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
    return new StorageWatch(database, createLogger('session_api', 'info', stream), { logBytes: LIMIT, ...limits });
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
