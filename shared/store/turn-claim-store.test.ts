import type { Database } from './database';
import { deleteSession, insertSession } from './session-store';
import { describeOnEachDatabase, newSession, openMigrated, type StoreFixture } from '../testing/store/store-fixture';
import {
  cancelTurnClaims,
  CLAIM_LEASE_MS,
  findTurnClaim,
  releaseTurnClaim,
  renewTurnClaims,
  spendTurnClaim,
  takeTurnClaim,
} from './turn-claim-store';

describeOnEachDatabase('claims of turns', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  let id: string;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
    ({ id } = await database.write((transaction) => insertSession(transaction, newSession())));
  });
  afterEach(() => fixture.remove());

  const take = (owner: string, session_id = id): Promise<boolean> =>
    database.write((transaction) => takeTurnClaim(transaction, { session_id, key: 'k', text_hash: 'h', owner }));
  const spend = (owner: string): Promise<boolean> =>
    database.write((transaction) => spendTurnClaim(transaction, id, owner));
  const renew = (owner: string): Promise<string[]> =>
    database.write((transaction) => renewTurnClaims(transaction, owner, [id, 'another']));
  const cancel = (sessionId?: string): Promise<void> =>
    database.write((transaction) => cancelTurnClaims(transaction, sessionId));
  /** As if so many milliseconds had gone by. */
  const letPass = (ms: number): Promise<unknown> =>
    database.write((transaction) => transaction.knex('turn_claims').decrement('lease_until', ms));

  it('are held by one at a time, and free again when they are spent', async () => {
    expect(await take('a')).toBe(true);
    expect(await take('b')).toBe(false);
    expect(await take('a')).toBe(false);
    expect(await findTurnClaim(database, id)).toEqual({
      session_id: id,
      key: 'k',
      text_hash: 'h',
      owner: 'a',
      cancel: false,
      live: true,
    });
    expect(await spend('b')).toBe(false);
    expect(await spend('a')).toBe(true);
    expect(await findTurnClaim(database, id)).toBeNull();
    expect(await take('b')).toBe(true);
  });

  it('are given to one of many that ask at once', async () => {
    const other = await fixture.open();
    const asked = Array.from({ length: 20 }, (_one, at) =>
      (at % 2 === 0 ? database : other).write((transaction) =>
        takeTurnClaim(transaction, { session_id: id, key: null, text_hash: 'h', owner: `o${at}` }),
      ),
    );
    expect((await Promise.all(asked)).filter((got) => got)).toHaveLength(1);
  });

  it('are nobody’s for a session that is not there, and go with it', async () => {
    expect(await take('a', 'nobody')).toBe(false);
    expect(await take('a')).toBe(true);
    await database.write((transaction) => deleteSession(transaction, id));
    expect(await findTurnClaim(database, id)).toBeNull();
    expect(await spend('a')).toBe(false);
  });

  it('run out by the clock of the database, and are not prolonged or spent after that', async () => {
    await take('a');
    await letPass(CLAIM_LEASE_MS - 2_000);
    expect(await take('b')).toBe(false);
    expect(await renew('a')).toEqual([id]);
    await letPass(CLAIM_LEASE_MS - 2_000);
    expect(await take('b')).toBe(false);
    await letPass(3_000);
    expect((await findTurnClaim(database, id))?.live).toBe(false);
    expect(await renew('a')).toEqual([]);
    expect(await spend('a')).toBe(false);
    expect(await take('b')).toBe(true);
    expect(await spend('a')).toBe(false);
    expect(await spend('b')).toBe(true);
  });

  it('stay to be seen when they were overtaken, and are free for the next one', async () => {
    await take('a');
    await cancel(id);
    expect(await spend('a')).toBe(false);
    expect(await renew('a')).toEqual([]);
    await database.write((transaction) => releaseTurnClaim(transaction, id, 'a'));
    expect(await findTurnClaim(database, id)).toMatchObject({ owner: 'a', cancel: true, live: false });
    expect(await take('b')).toBe(true);
    await database.write((transaction) => releaseTurnClaim(transaction, id, 'a'));
    expect(await findTurnClaim(database, id)).toMatchObject({ owner: 'b', cancel: false, live: true });
    await cancel();
    expect(await spend('b')).toBe(false);
  });

  it('leave nothing when their turn failed by itself', async () => {
    await take('a');
    await database.write((transaction) => releaseTurnClaim(transaction, id, 'a'));
    expect(await findTurnClaim(database, id)).toBeNull();
  });
});
