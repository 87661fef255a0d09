import { Debrief, Recap } from '@parley/shared/contracts';
import type { Database } from './database';
import { findDebrief, insertDebrief } from './debrief-store';
import { listAttempts, PROGRESS_ATTEMPTS } from './progress-store';
import { deleteRecap, deleteRecaps, findRecap, listRecaps, saveRecap } from './recap-store';
import { insertSession, saveSelfRatings } from './session-store';
import { getSettings, patchSettings } from './settings-store';
import {
  AT,
  newSession,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';

function debriefOf(session_id: string, overrides: Partial<Debrief> = {}): Debrief {
  const dimension = { weight: 0.5, self_rating: null, observations: [] };
  return Debrief.parse({
    schema_version: 1,
    session_id,
    scenario_id: 'late_delivery',
    ending_type: 'success',
    overall_score: 61,
    used_fallback: true,
    generated_at: AT,
    model_id: null,
    dimensions: [
      { ...dimension, id: 'clarity', name: 'Clarity', score: 72, observed: true },
      { ...dimension, id: 'listening', name: 'Listening', score: 50, observed: false },
    ],
    turning_points: [],
    summary: 'You said it plainly.',
    strengths: [],
    improvements: [],
    replay_suggestions: [],
    state_series: [],
    ...overrides,
  });
}

describeOnEachDatabase('what is kept beside the conversation', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  it('stores one debrief a session: the first', async () => {
    const { id } = await database.write((transaction) => insertSession(transaction, newSession()));
    expect(await findDebrief(database, id)).toBeNull();
    expect(await database.write((transaction) => insertDebrief(transaction, debriefOf(id)))).toBe(true);
    expect(
      await database.write((transaction) => insertDebrief(transaction, debriefOf(id, { summary: 'Another.' }))),
    ).toBe(false);
    expect(await findDebrief(database, id)).toEqual(debriefOf(id));
  });

  it("lays the player's current ratings over the stored debrief", async () => {
    const { id } = await database.write((transaction) => insertSession(transaction, newSession()));
    await database.write((transaction) => insertDebrief(transaction, debriefOf(id)));
    expect(await database.write((transaction) => saveSelfRatings(transaction, id, { clarity: 80 }))).toBe(true);
    expect((await findDebrief(database, id))?.dimensions.map(({ self_rating }) => self_rating)).toEqual([80, null]);
    expect(await database.write((transaction) => saveSelfRatings(transaction, 'nobody', { clarity: 80 }))).toBe(false);
  });

  it('shows no rating that the player took back after the debrief was written with it', async () => {
    const { id } = await database.write((transaction) => insertSession(transaction, newSession()));
    await database.write((transaction) => saveSelfRatings(transaction, id, { clarity: 80 }));
    const [clarity, listening] = debriefOf(id).dimensions;
    await database.write((transaction) =>
      insertDebrief(transaction, debriefOf(id, { dimensions: [{ ...clarity, self_rating: 80 }, listening] as never })),
    );
    await database.write((transaction) => saveSelfRatings(transaction, id, { listening: 30 }));
    expect((await findDebrief(database, id))?.dimensions.map(({ self_rating }) => self_rating)).toEqual([null, 30]);
  });

  it('answers ended sessions by scenario, oldest first, with the scores of their debriefs', async () => {
    const end = (hour: number, scenario_id: string) =>
      database.write((transaction) =>
        insertSession(
          transaction,
          newSession({
            scenario_id,
            flow_state: 'Ended',
            ending_type: 'success',
            ended_at: `2026-03-04T0${hour}:00:00.000Z`,
          }),
        ),
      );
    const late = await end(8, 'b');
    const early = await end(6, 'b');
    const other = await end(7, 'a');
    await database.write((transaction) => insertSession(transaction, newSession({ scenario_id: 'unfinished' })));
    await database.write((transaction) => insertDebrief(transaction, debriefOf(early.id)));
    const progress = await listAttempts(database);
    expect(progress.map(({ scenario_id, attempts }) => [scenario_id, attempts.map((one) => one.session_id)])).toEqual([
      ['a', [other.id]],
      ['b', [early.id, late.id]],
    ]);
    expect(progress[1]?.attempts.map(({ dimensions }) => dimensions)).toEqual([
      [
        { id: 'clarity', name: 'Clarity', score: 72, observed: true },
        { id: 'listening', name: 'Listening', score: 50, observed: false },
      ],
      [],
    ]);
    expect(await listAttempts(database, 'a')).toHaveLength(1);
    expect(await listAttempts(database, 'unknown')).toEqual([]);
  });

  it('looks back on a bounded number of attempts, the latest', async () => {
    await database.write(async (transaction) => {
      for (let i = 0; i <= PROGRESS_ATTEMPTS; i += 1) {
        const ended_at = new Date(Date.parse(AT) + i * 1000).toISOString();
        await insertSession(transaction, newSession({ ended_at, ending_type: 'timeout', flow_state: 'Ended' }));
      }
    });
    const [scenario] = await listAttempts(database);
    expect(scenario?.attempts).toHaveLength(PROGRESS_ATTEMPTS);
    expect(scenario?.attempts[0]?.ended_at).toBe(new Date(Date.parse(AT) + 1000).toISOString());
  });

  it('keeps settings with their defaults, and passes over what does not fit', async () => {
    expect(await getSettings(database)).toMatchObject({ save_transcripts: true, telemetry_enabled: false });
    expect(
      await database.write((transaction) => patchSettings(transaction, { save_transcripts: false })),
    ).toMatchObject({ save_transcripts: false });
    await database.write((transaction) =>
      patchSettings(transaction, { save_transcripts: true, relationship_memory_enabled: true }),
    );
    expect(await getSettings(database)).toMatchObject({
      save_transcripts: true,
      relationship_memory_enabled: true,
    });
    await database.knex('settings').insert({ key: 'telemetry_enabled', value: 'true' });
    expect((await getSettings(database)).telemetry_enabled).toBe(false);
    await database.knex('settings').where({ key: 'save_transcripts' }).update({ value: '"perhaps"' });
    expect(await getSettings(database)).toMatchObject({
      save_transcripts: true,
      relationship_memory_enabled: true,
    });
  });

  it('keeps one recap for a character and pack', async () => {
    const recap = Recap.parse({
      npc_id: 'ines',
      pack_id: 'late_delivery',
      schema_version: '1',
      session_count: 1,
      last_session_at: AT,
      key_observations: ['Says the news early.'],
      player_style_tags: ['plain'],
      last_outcome: 'success',
    });
    await database.write((transaction) => saveRecap(transaction, recap, AT));
    await database.write((transaction) => saveRecap(transaction, { ...recap, session_count: 2 }, AT));
    await database.write((transaction) =>
      saveRecap(transaction, { ...recap, npc_id: 'otto' }, '2026-03-05T05:06:07.000Z'),
    );
    expect((await listRecaps(database)).map(({ npc_id, session_count }) => [npc_id, session_count])).toEqual([
      ['otto', 1],
      ['ines', 2],
    ]);
    expect(await findRecap(database, 'ines', 'late_delivery')).toEqual({ ...recap, session_count: 2 });
    expect(await database.write((transaction) => deleteRecap(transaction, 'ines', 'late_delivery'))).toBe(true);
    expect(await database.write((transaction) => deleteRecap(transaction, 'ines', 'late_delivery'))).toBe(false);
    expect(await findRecap(database, 'ines', 'late_delivery')).toBeNull();
    expect(await database.write((transaction) => deleteRecaps(transaction))).toBe(1);
  });
});
