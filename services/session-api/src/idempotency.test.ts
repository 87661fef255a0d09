import { createHmac } from 'node:crypto';
import type { Debrief, Problem, Session, StartAnswer, TurnAnswer } from '@parley/shared/contracts';
import { inPieces, npcTurnJson } from '@parley/shared/testing';
import { openDatabase } from '@parley/shared/store';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const HOUR_MS = 60 * 60 * 1000;

describe('Idempotency-Key at session-api', () => {
  let set: SessionApiSet;
  let ahead = 0;
  beforeAll(async () => {
    set = await startSessionApiSet({ overrides: { now: () => new Date(Date.now() + ahead) } });
  });
  afterAll(() => set.stop());
  beforeEach(() => {
    ahead = 0;
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(npcTurnJson()) }));
  });

  const key = (value: string): Record<string, string> => ({ 'idempotency-key': value });
  const create = (headers: Record<string, string>, body: object = { scenario_id: 'late_delivery' }) =>
    set.call<Session & Problem>('POST', '/api/sessions', body, headers);
  const started = async (): Promise<Session> => {
    const { body } = await create({});
    return (await set.call<StartAnswer>('POST', `/api/sessions/${body.id}/start`)).body.session;
  };
  const say = (id: string, text: string, headers: Record<string, string> = {}) =>
    set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/turn`, { text }, headers);
  const rows = async <T>(table: string): Promise<T[]> => {
    const database = await openDatabase({ dataDir: set.folder.path });
    try {
      return (await database.knex(table).select('*')) as T[];
    } finally {
      await database.close();
    }
  };

  describe('of a new session', () => {
    it('answers a repeat with status, Location and body of the first, also after a restart and after its start', async () => {
      const first = await create(key('create-0001'));
      expect(first.status).toBe(201);
      await set.call('POST', `/api/sessions/${first.body.id}/start`);
      for (const again of [await create(key('create-0001')), (await set.restart(), await create(key('create-0001')))])
        expect([again.status, again.headers['location'], again.body]).toEqual([
          201,
          first.headers['location'],
          first.body,
        ]);
      expect((await create(key('create-0002'))).body.id).not.toBe(first.body.id);
      expect((await create({})).body.id).not.toBe(first.body.id);
    });

    it('makes one session of many that come at once', async () => {
      const before = (await rows('sessions')).length;
      const answers = await Promise.all(Array.from({ length: 8 }, () => create(key('create-at-once'))));
      expect(new Set(answers.map((one) => one.body.id)).size).toBe(1);
      expect(answers.map((one) => one.status)).toEqual(answers.map(() => 201));
      expect((await rows('sessions')).length).toBe(before + 1);
    });

    it('refuses another body under the same key with 422, and a malformed key with 400', async () => {
      await create(key('create-0003'));
      const other = await create(key('create-0003'), { scenario_id: 'late_delivery', difficulty: 'hard' });
      expect([other.status, other.body.code, other.body.title]).toEqual([
        422,
        'IDEMPOTENCY_KEY_REUSED',
        'Unprocessable Content',
      ]);
      expect((await create(key('short'))).status).toBe(400);
    });

    it('is freed by a failure, after 24 hours, and with its session', async () => {
      expect((await create(key('create-0004'), { scenario_id: 'nobody' })).status).toBe(404);
      const first = await create(key('create-0004'));
      expect(first.status).toBe(201);
      ahead = 23 * HOUR_MS;
      expect((await create(key('create-0004'))).body.id).toBe(first.body.id);
      ahead = 25 * HOUR_MS;
      const later = await create(key('create-0004'), { scenario_id: 'late_delivery', difficulty: 'hard' });
      expect([later.status, later.body.id === first.body.id]).toEqual([201, false]);
      await set.call('DELETE', `/api/sessions/${later.body.id}`);
      expect((await create(key('create-0004'))).body.id).not.toBe(later.body.id);
      await set.call('POST', '/api/privacy/clear', {});
      expect(await rows('kept_answers')).toEqual([]);
    });
  });

  describe('of a fork', () => {
    const fork = (id: string, turn: number, headers: Record<string, string>) =>
      set.call<Session & Problem>('POST', `/api/sessions/${id}/fork`, { turn }, headers);

    it('answers a repeat as the first, also after a restart, belongs to the original, and refuses another turn', async () => {
      const [one, two] = [await started(), await started()];
      await say(one.id, 'It is late.');
      const first = await fork(one.id, 3, key('fork-0001'));
      expect(first.status).toBe(201);
      await set.restart();
      const again = await fork(one.id, 3, key('fork-0001'));
      expect([again.status, again.headers['location'], again.body]).toEqual([
        201,
        first.headers['location'],
        first.body,
      ]);
      expect((await fork(one.id, 1, key('fork-0001'))).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
      expect((await fork(two.id, 1, key('fork-0001'))).body.forked_from).toEqual({ session_id: two.id, turn: 1 });
    });
  });

  describe('of a turn', () => {
    it('refuses another text with 422, also when the transcript is not saved', async () => {
      for (const save of [true, false]) {
        await set.call('PATCH', '/api/settings', { save_transcripts: save });
        const { id } = await started();
        expect((await say(id, 'It is late.', key('turn-0001'))).status).toBe(200);
        const other = await say(id, 'Two weeks.', key('turn-0001'));
        expect([save, other.status, other.body.code]).toEqual([save, 422, 'IDEMPOTENCY_KEY_REUSED']);
      }
    });

    it('leaves nothing on disk that words of an unsaved session could be tried against', async () => {
      await set.call('PATCH', '/api/settings', { save_transcripts: false });
      const { id } = await started();
      const first = await say(id, 'My secret.', key('turn-unsaved'));
      const [session] = (await rows<{ id: string; fence: string }>('sessions')).filter((one) => one.id === id);
      const [stored] = (await rows<{ session_id: string; text_hash: string }>('turn_keys')).filter(
        (one) => one.session_id === id,
      );
      expect(stored?.text_hash).not.toBe('');
      for (const secret of [session?.fence ?? '', id, ''])
        for (const text of ['My secret.', `${id}\nMy secret.`])
          for (const encoding of ['hex', 'base64url'] as const)
            expect(stored?.text_hash).not.toContain(createHmac('sha256', secret).update(text).digest(encoding));
      // The process that could compare the text is gone: the key alone says that it is a repeat.
      await set.restart();
      const again = await say(id, 'My secret.', key('turn-unsaved'));
      expect([again.status, again.body.npc_turn.text]).toEqual([200, null]);
      expect(again.body.session).toEqual(first.body.session);
      expect((await say(id, 'Another one.', key('turn-unsaved-2'))).status).toBe(200);
      expect((await say(id, 'Yet another.', key('turn-unsaved-2'))).status).toBe(422);
      await set.call('PATCH', '/api/settings', { save_transcripts: true });
    });
  });

  it('a debrief that is being made is answered 202 with its Location and Retry-After', async () => {
    const { id } = await started();
    await set.call('POST', `/api/sessions/${id}/end`);
    const reply = await set.call<Debrief>('POST', `/api/sessions/${id}/debrief`, {}, { prefer: 'respond-async' });
    expect([reply.status, reply.headers['location'], reply.headers['preference-applied']]).toEqual([
      202,
      `/api/sessions/${id}/debrief`,
      'respond-async',
    ]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });
});
