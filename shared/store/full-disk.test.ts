import { readdirSync } from 'node:fs';
import { DiskFullError, ServiceError } from '@parley/shared/contracts';
import type { Database } from './database';

import { insertSession, findSession } from './session-store';
import { getSettings } from './settings-store';
import { explainFailure } from './sqlite-failures';
import { AT, newSession, newTurn, openMigrated, storeFixture, type StoreFixture } from '../testing/store/store-fixture';

import { appendTurns, indexTurns, listTurns } from './turn-store';
import { saveRecap } from './recap-store';
import type { Transaction } from './dialect';

const LONG = 'A long answer that fills pages. '.repeat(400);

describe('a database that may not grow', () => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = storeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  const pragma = async (source: string): Promise<number> =>
    Number(Object.values(((await onWritingConnection(`pragma ${source}`)) as object[])[0] ?? {})[0]);
  const onWritingConnection = (statement: string): Promise<unknown> =>
    database.write(async (transaction) => transaction.knex.raw(statement));
  const fill = async (): Promise<void> => void (await pragma(`max_page_count = ${await pragma('page_count')}`));
  const makeRoom = async (): Promise<void> => void (await pragma('max_page_count = 1073741823'));

  const storeTalk = async (transaction: Transaction, id: string): Promise<void> => {
    const session = await insertSession(transaction, newSession({ id }));
    const turns = [newTurn(2, LONG), newTurn(3, LONG)];
    await appendTurns(transaction, id, turns);
    await indexTurns(transaction, session, turns);
  };
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const integrity = async (): Promise<unknown> => database.knex.raw('pragma integrity_check');

  it('answers a retryable 503 that says what is full, that nothing was stored and what to do', async () => {
    await fill();
    const error = await failureOf(database.write((transaction) => storeTalk(transaction, 'a')));
    expect(error).toBeInstanceOf(DiskFullError);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryable: true });
    expect((error as Error).message).toMatch(
      /^The disk with the data folder is full and nothing of this was stored: free some space.*deleting old sessions.*\.$/,
    );
  });

  it('stores nothing of the transaction, reads on, and stores the same once there is room', async () => {
    await fill();
    for (let round = 0; round < 3; round += 1) {
      const error = await failureOf(database.write((transaction) => storeTalk(transaction, 'a')));
      expect([round, (error as Error).name]).toEqual([round, 'DiskFullError']);
      expect([await findSession(database, 'a'), await listTurns(database, 'a')]).toEqual([null, []]);
    }
    expect(await getSettings(database)).toMatchObject({ save_transcripts: true });
    await makeRoom();
    await database.write((transaction) => storeTalk(transaction, 'a'));
    expect((await listTurns(database, 'a')).map((turn) => turn.text)).toEqual([LONG, LONG]);
    expect(await integrity()).toEqual([{ integrity_check: 'ok' }]);
  });

  it('says the same of a single statement, without a word of SQL', async () => {
    await fill();
    const recap = { npc_id: 'n', pack_id: 'p', schema_version: '1', session_count: 1, last_session_at: AT } as const;
    const error = await failureOf(
      database.write((transaction) =>
        saveRecap(
          transaction,
          { ...recap, key_observations: [LONG], player_style_tags: [], last_outcome: 'success' },
          AT,
        ),
      ),
    );
    expect(error).toBeInstanceOf(DiskFullError);
    expect((error as Error).message).not.toMatch(/insert|recaps/i);
  });

  it('keeps nothing that a body writes after the statement that took the transaction back', async () => {
    await fill();
    const after: unknown[] = [];
    const error = await failureOf(
      database.write(async (transaction) => {
        await failureOf(
          transaction
            .knex('settings')
            .insert({ key: 'big', value: LONG.repeat(20) })
            .then(),
        );
        const orphan = async () => transaction.knex('settings').insert({ key: 'orphan', value: '1' });
        after.push(await failureOf(orphan()));
      }),
    );
    expect([error, after[0]]).toEqual([expect.any(DiskFullError), expect.any(DiskFullError)]);
    expect(await database.knex('settings').where({ key: 'orphan' })).toEqual([]);
    await database.write((transaction) => transaction.knex('settings').insert({ key: 'later', value: '1' }));
    expect(await database.knex('settings').where({ key: 'later' })).toHaveLength(1);
  });

  it('tells every member of a group commit that is not stored, and only those', async () => {
    await fill();
    const ids = Array.from({ length: 12 }, (_unused, at) => `talk-${at}`);
    const commit = (id: string): Promise<unknown> =>
      failureOf(database.write((transaction) => storeTalk(transaction, id)));
    const outcomes = await Promise.all(ids.map(commit));
    for (const [at, id] of ids.entries()) {
      const stored = (await findSession(database, id)) !== null;
      expect([id, stored, outcomes[at]]).toEqual([id, stored, stored ? null : expect.any(DiskFullError)]);
    }
    expect(outcomes.filter((one) => one instanceof DiskFullError).length).toBeGreaterThan(0);
    await makeRoom();
    expect(await Promise.all(ids.filter((_id, at) => outcomes[at] !== null).map(commit))).toEqual(
      outcomes.filter((one) => one !== null).map(() => null),
    );
    expect(await integrity()).toEqual([{ integrity_check: 'ok' }]);
  });
});

describe('explainFailure', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = storeFixture();
  });
  afterEach(() => fixture.remove());

  it('does not call a disk full that takes what is written to it, and leaves nothing behind', async () => {
    await openMigrated(fixture);
    const broken = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
    const files = readdirSync(fixture.dataDir);
    expect(explainFailure(broken, fixture.file)).toMatchObject({ fault: 'database_unreadable', cause: broken });
    expect(readdirSync(fixture.dataDir)).toEqual(files);
  });

  it('leaves errors that are not about writing alone', () => {
    const constraint = Object.assign(new Error('twice'), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    expect(explainFailure(constraint, '/nowhere/parley.sqlite')).toBe(constraint);
  });
});
