import { callRoute } from '@parley/shared/client';
import {
  type Problem,
  type Session,
  type StartAnswer,
  type Transcript,
  type TurnAnswer,
  ROUTES,
} from '@parley/shared/contracts';
import { inPieces, npcTurnJson, recordSocket, waitUntil } from '@parley/shared/testing';
import { openDatabase, type Database } from '@parley/shared/store';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

describe('session-api when one thing comes upon another', () => {
  let set: SessionApiSet;
  beforeEach(async () => {
    set = await startSessionApiSet({ config: { max_concurrent_turns: 2 } });
    set.gateway.reply((_request, count) => ({
      kind: 'text',
      pieces: inPieces(npcTurnJson({ npc_utterance: `Answer ${count}.` })),
    }));
  });
  afterEach(() => set.stop());

  const created = async (): Promise<Session> =>
    (await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' })).body;
  const start = async ({ id }: Session): Promise<StartAnswer> =>
    (await set.call<StartAnswer>('POST', `/api/sessions/${id}/start`)).body;
  const say = (id: string, text: string, headers: Record<string, string> = {}) =>
    set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/turn`, { text }, headers);
  const textsOf = async (id: string): Promise<(string | null)[]> =>
    (await set.call<Transcript>('GET', `/api/sessions/${id}/transcript`)).body.turns.map(({ text }) => text);

  /** Lets the model answer nothing until it is told to. */
  const holdModel = (): { asked: (count: number) => Promise<unknown>; release: () => void } => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const before = set.gateway.requests.length;
    set.gateway.reply(() => ({ kind: 'hang', pieces: [npcTurnJson()], until }));
    return {
      asked: (count) => waitUntil('the model to be asked', () => set.gateway.requests.length >= before + count),
      release,
    };
  };

  it('replays every text of a talk that the player ended', async () => {
    const { id } = (await start(await created())).session;
    for (const text of ['It is late.', 'Two weeks.']) await say(id, text);
    await set.call('POST', `/api/sessions/${id}/end`);
    const socket = await recordSocket(set.url, id, { query: '?after_seq=0' });
    await waitUntil('the ending', () => socket.types().filter((type) => type === 'session.state')[1]);
    const finals = socket.messages.flatMap((one) => (one.type === 'npc.final' ? [one.payload.content] : []));
    expect(finals).toEqual(['You said you had news about my part.', 'Answer 1.', 'Answer 2.']);
    socket.close();
  });

  it('answers the repeat of a stored turn while another turn of the session runs, and while no more turns may', async () => {
    const { id } = (await start(await created())).session;
    const other = (await start(await created())).session;
    const key = { 'idempotency-key': 'key-of-the-first' };
    const first = await say(id, 'It is late.', key);
    const held = holdModel();
    const second = say(id, 'Two weeks.', { 'idempotency-key': 'key-of-the-second' });
    await held.asked(1);
    expect((await say(id, 'It is late.', key)).body).toEqual(first.body);
    const full = say(other.id, 'Hello.');
    await held.asked(2);
    expect((await say(id, 'It is late.', key)).body).toEqual(first.body);
    const changed = await say(id, 'Something else.', key);
    expect([changed.status, changed.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const unknown = await say(id, 'Something else.', { 'idempotency-key': 'key-of-nothing' });
    expect([unknown.status, unknown.body.code]).toEqual([409, 'TURN_IN_PROGRESS']);
    held.release();
    expect([(await second).status, (await full).status]).toEqual([200, 200]);
  });

  it('keeps what is said after a restart in memory when the transcript is not saved', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const fresh = await created();
    const { id } = (await start(await created())).session;
    await say(id, 'Before the restart.');
    await set.restart();
    expect((await start(fresh)).turn.text).toBe('You said you had news about my part.');
    const { body } = await say(id, 'After the restart.');
    expect([body.player_turn.text, body.npc_turn.text]).toEqual(['After the restart.', 'Answer 2.']);
    await say(id, 'And on.');
    const prompt = JSON.stringify(set.gateway.requests.at(-1)?.messages);
    expect(prompt).toContain('After the restart.');
    expect(prompt).toContain('Answer 2.');
    expect(await textsOf(id)).toEqual([null, null, null, 'After the restart.', 'Answer 2.', 'And on.', 'Answer 3.']);
    // Half a talk would tell another story: the debrief is made from the scores alone.
    const memory = await callRoute(set.url, ROUTES.getSessionMemory, { params: { id } });
    expect(memory).toEqual({ turns: null, notes: null });
  });

  it('makes no copy of a talk that is cleared while it is being forked', async () => {
    const { id } = (await start(await created())).session;
    await say(id, 'It is late.');
    await set.restart();
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const asked = set.holdPacks(until);
    const fork = set.call<Problem>('POST', `/api/sessions/${id}/fork`, { turn: 3 });
    await asked;
    expect((await set.call('POST', '/api/privacy/clear', {})).status).toBe(200);
    release();
    expect([(await fork).status, (await fork).body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  /** What another process would see, or do. */
  const elsewhere = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase({ dataDir: set.folder.path });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };

  it('makes no copy of a talk that a clear is about to delete, and one of a talk that was begun since', async () => {
    const { id } = (await start(await created())).session;
    await elsewhere(async ({ knex }) => {
      const { ordinal } = (await knex('sessions').where({ id }).first('ordinal')) as { ordinal: number };
      await knex('settings').insert({ key: 'clearing', value: JSON.stringify({ up_to: ordinal }) });
    });
    const fork = (session: string) => set.call<Problem>('POST', `/api/sessions/${session}/fork`, { turn: 1 });
    const refused = await fork(id);
    expect([refused.status, refused.body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    expect((await fork((await start(await created())).session.id)).status).toBe(201);
  });

  it('forks a talk as it is when the fork is stored', async () => {
    const { id } = (await start(await created())).session;
    await say(id, 'It is late.');
    await set.restart();
    let release = (): void => undefined;
    const asked = set.holdPacks(new Promise<void>((resolve) => (release = resolve)));
    const fork = set.call<Problem>('POST', `/api/sessions/${id}/fork`, { turn: 3 });
    await asked;
    // As another answer would that ends the talk.
    const ended = { flow_state: 'Ended', ending_type: 'failure' };
    await elsewhere(({ knex }) => knex('sessions').where({ id }).update(ended));
    release();
    expect([(await fork).status, (await fork).body.detail]).toEqual([
      400,
      expect.stringContaining('This turn ended the session'),
    ]);
  });

  it('finishes another answer while the player rates themselves', async () => {
    const { id } = (await start(await created())).session;
    await say(id, 'It is late.');
    await set.call('POST', `/api/sessions/${id}/end`);
    const held = holdModel();
    const again = set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/regenerate`, {});
    await held.asked(1);
    const rated = await set.call('PUT', `/api/sessions/${id}/self-rating`, { ratings: { clarity: 80 } });
    expect(rated.status).toBe(200);
    held.release();
    expect([(await again).status, (await again).body.npc_turn?.variant]).toEqual([200, 2]);
  });

  it('takes no rating of a talk whose ending is undone meanwhile', async () => {
    const { id } = (await start(await created())).session;
    await set.call('POST', `/api/sessions/${id}/end`);
    await set.restart();
    let release = (): void => undefined;
    const asked = set.holdPacks(new Promise<void>((resolve) => (release = resolve)));
    const rating = set.call<Problem>('PUT', `/api/sessions/${id}/self-rating`, { ratings: { clarity: 80 } });
    await asked;
    const goesOn = { flow_state: 'PlayerTurnListening', ending_type: null };
    await elsewhere(({ knex }) => knex('sessions').where({ id }).update(goesOn));
    release();
    expect([(await rating).status, (await rating).body.code]).toEqual([409, 'INVALID_STATE']);
  });
});
