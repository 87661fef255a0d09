import type { Recap } from '@parley/shared/contracts';
import type { Database } from './database';
import { claimJob, enqueueDebrief, queueDepth, runningJobs } from './job-store';
import { listAttempts } from './progress-store';
import { listRecaps, saveRecap } from './recap-store';
import { listSessions, type SessionQuery } from './search-store';
import { insertSession } from './session-store';
import {
  AT,
  describeOnEachDatabase,
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
} from '../testing/store/store-fixture';
import { appendTurns, indexTurns } from './turn-store';

const RECAP: Omit<Recap, 'npc_id'> = {
  pack_id: 'late_delivery',
  schema_version: '1',
  session_count: 1,
  last_session_at: AT,
  key_observations: [],
  player_style_tags: [],
  last_outcome: 'timeout',
};

describeOnEachDatabase('a list with one row that cannot be read', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  let ids: string[];
  const warnings: string[] = [];
  const logger = {
    info: () => undefined,
    warn: ({ err }: { err?: unknown }) => void warnings.push(String(err)),
  };
  beforeEach(async () => {
    fixture = await makeFixture();
    await openMigrated(fixture);
    database = await fixture.open({ logger });
    warnings.length = 0;
    ids = [];
    for (let at = 0; at < 4; at += 1) {
      const turns = [newTurn(1, 'The walnut is late.')];
      const ended = { ended_at: AT, ending_type: 'timeout' as const, flow_state: 'Ended' as const };
      const session = await database.write(async (transaction) => {
        const inserted = await insertSession(transaction, newSession(ended));
        await appendTurns(transaction, inserted.id, turns);
        await indexTurns(transaction, inserted, turns);
        return inserted;
      });
      ids.unshift(session.id);
    }
  });
  afterEach(() => fixture.remove());

  const damage = (table: string, where: object, columns: object): Promise<unknown> =>
    database.write((transaction) => transaction.knex(table).where(where).update(columns));
  const without = (at: number): string[] => ids.filter((_id, index) => index !== at);

  async function pages(query: Partial<SessionQuery>, limit: number): Promise<string[][]> {
    const found: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await listSessions(database, { ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
      found.push(page.rows.map((row) => row.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  it.each<[string, Partial<SessionQuery>]>([
    ['all', {}],
    ['those that hold a word', { q: 'walnut' }],
    ['those of a state that hold a word', { q: 'walnut', flow_state: 'Ended' }],
  ])('goes on to the last page of sessions, and names the damaged one once: %s', async (_what, query) => {
    await damage('sessions', { id: ids[1] }, { flags: 'walnut, {' });
    expect(await pages(query, 1)).toEqual([[ids[0]], [], [ids[2]], [ids[3]]]);
    expect((await pages(query, 2)).flat()).toEqual(without(1));
    expect((await pages(query, 9)).flat()).toEqual(without(1));
    expect(warnings).toEqual([expect.stringContaining(`table sessions, id ${ids[1]}, column flags`)]);
    expect(warnings.join('')).not.toContain('walnut');
  });

  it('of attempts leaves it out', async () => {
    await damage('sessions', { id: ids[2] }, { difficulty: 'walnut' });
    const [scenario] = await listAttempts(database);
    expect(scenario?.attempts.map((one) => one.session_id).sort()).toEqual(without(2).sort());
    expect(warnings).toHaveLength(1);
  });

  it('of recaps leaves it out', async () => {
    const recaps = ['ines', 'kim'].map((npc_id): Recap => ({ ...RECAP, npc_id }));
    for (const recap of recaps) await database.write((transaction) => saveRecap(transaction, recap, AT));
    await damage('recaps', { npc_id: 'ines' }, { document: '[' });
    expect(await listRecaps(database)).toEqual([recaps[1]]);
    expect(warnings).toEqual([expect.stringContaining('table recaps, id ines late_delivery, column document')]);
  });

  it('of jobs goes on with the next, and the damaged one has failed', async () => {
    for (const id of [...ids].reverse()) await database.write((transaction) => enqueueDebrief(transaction, id, AT));
    await damage('jobs', { session_id: ids[3] }, { kind: 'walnut' });
    const claim = { owner: 'a', now: AT, lease_until: '2026-03-04T06:00:00.000Z', latest: '2026-03-05T00:00:00.000Z' };
    expect(await claimJob(database, claim)).toBeNull();
    expect(await claimJob(database, claim)).toMatchObject({ session_id: ids[2] });
    expect(await claimJob(database, claim)).toMatchObject({ session_id: ids[1] });
    await damage('jobs', { session_id: ids[2] }, { kind: 'walnut' });
    expect((await runningJobs(database)).map((job) => job.session_id)).toEqual([ids[1]]);
    expect(await queueDepth(database)).toBe(3);
  });
});
