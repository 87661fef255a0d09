import { Debrief, Transcript, type Session, type SessionExport } from '@parley/shared/contracts';
import { describeScaled, waitUntil } from '@parley/shared/testing';
import { inconsistencies } from '../set/consistency';
import { ScaledSet } from './scaled-set';

const path = (id: string, operation = ''): string => `/api/sessions/${id}${operation}`;

describeScaled('two session-apis on one PostgreSQL and Redis', (servers) => {
  let set: ScaledSet;
  beforeAll(async () => {
    set = await ScaledSet.start(servers());
  });
  afterAll(() => set.stop());

  it('play one talk between them, from its first word to its letter', async () => {
    const id = await set.started();
    const heard = [await set.socket(id, 0), await set.socket(id, 1)];
    for (let turn = 1; turn <= 6; turn += 1) {
      const reply = await set.say(id, `I would like to talk about my pay, point ${turn}.`);
      expect([turn, reply.status]).toEqual([turn, 200]);
    }
    const both = await Promise.all(
      [0, 1].map(async (at) => Transcript.parse(await set.ask('GET', path(id, '/transcript'), undefined, at))),
    );
    expect(both[0]).toEqual(both[1]);
    expect(both[0]?.turns).toHaveLength(13);
    await set.ask('POST', path(id, '/end'));
    const debrief = Debrief.parse(await set.ask('POST', path(id, '/debrief'), undefined, 1));
    expect(await set.ask('GET', path(id, '/debrief'), undefined, 0)).toEqual(debrief);
    for (const socket of heard) {
      await waitUntil('the debrief to be told', () =>
        socket.messages.some(({ type, payload }) => type === 'session.state' && payload.state === 'DebriefReady'),
      );
      const numbers = socket.messages.map(({ seq }) => seq);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(socket.types().filter((type) => type === 'npc.final')).toHaveLength(6);
      const ready = socket.messages.filter(
        ({ type, payload }) => type === 'session.state' && payload.state === 'DebriefReady',
      );
      expect(ready).toHaveLength(1);
    }
    // The welcomes are of one socket each; all that was published is the same on both, its time too.
    const [first = [], second = []] = heard.map(({ messages }) => messages);
    const joined = second[0]?.seq ?? Infinity;
    expect(first.filter(({ seq }) => seq > joined)).toEqual(second.slice(1));
    const stored = await set.ask<SessionExport>('GET', path(id, '/export?format=json'));
    expect(inconsistencies(stored)).toEqual([]);
  });

  it('answer one call that comes to both at once once, and every repeat as the first', async () => {
    const id = await set.started();
    const key = 'the-same-call';
    const [first, second] = await Promise.all([0, 1].map((at) => set.say(id, 'Both of you.', { at, key })));
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(second?.body).toEqual(first?.body);
    expect((await set.say(id, 'Both of you.', { key })).body).toEqual(first?.body);
    expect((await set.say(id, 'Other words.', { key })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const { turns } = await set.ask<Transcript>('GET', path(id, '/transcript'));
    expect(turns).toHaveLength(3);
  });

  it('refuse another turn while one runs elsewhere, and a key of other words', async () => {
    const id = await set.started();
    const heard = await set.socket(id, 1);
    const running = set.say(id, 'The first.', { at: 0, key: 'the-first-call' });
    await heard.next('npc.token');
    const other = await set.say(id, 'The second.', { at: 1, key: 'the-second-call' });
    expect([other.status, other.body.code]).toEqual([409, 'TURN_IN_PROGRESS']);
    const words = await set.say(id, 'Not the first.', { at: 1, key: 'the-first-call' });
    expect([words.status, words.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await running).status).toBe(200);
  });

  it('make one session of a call that creates it at both', async () => {
    const headers = { 'idempotency-key': 'one-session' };
    const made = await Promise.all(
      [0, 1].map((at) => set.call<Session>('POST', '/api/sessions', { scenario_id: 'the_ask' }, { at, headers })),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(made[0]?.body).toEqual(made[1]?.body);
  });

  it('answer the last words anew once for a call that comes to both', async () => {
    const id = await set.started();
    expect((await set.say(id, 'Say it another way.')).status).toBe(200);
    const headers = { 'idempotency-key': 'answer-anew' };
    const again = await Promise.all(
      [0, 1].map((at) => set.call('POST', path(id, '/regenerate'), undefined, { at, headers })),
    );
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    expect(again[0]?.body).toEqual(again[1]?.body);
    const { turns } = await set.ask<Transcript>('GET', path(id, '/transcript'));
    expect(turns.at(-1)).toMatchObject({ variant: 2, variants: 2 });
    expect((await set.say(id, 'And on we go.', { at: 1 })).status).toBe(200);
  });

  it.each(['cancel', 'end', 'delete', 'clear'] as const)(
    '%s on one wins over a turn that runs on the other',
    async (what) => {
      const id = await set.started(0);
      const heard = [await set.socket(id, 0), await set.socket(id, 1)];
      const running = set.say(id, 'A turn that is overtaken.', { at: 0 });
      await heard[1]?.next('npc.token');
      const begun = performance.now();
      const call = {
        cancel: () => set.call('POST', path(id, '/cancel'), undefined, { at: 1 }),
        end: () => set.call('POST', path(id, '/end'), undefined, { at: 1 }),
        delete: () => set.call('DELETE', path(id), undefined, { at: 1 }),
        clear: () => set.call('POST', '/api/privacy/clear', {}, { at: 1 }),
      }[what]();
      const overtaken = await running;
      const tookMs = performance.now() - begun;
      const answer = await call;
      expect(answer.status).toBeLessThan(300);
      expect([overtaken.status, overtaken.body.code]).toEqual([409, 'TURN_ABORTED']);
      process.stderr.write(`${what} on the other instance: the turn ended after ${tookMs.toFixed(0)} ms\n`);
      // The promise is 100 ms; a machine that is busy with something else gets ten times as much.
      expect(tookMs).toBeLessThan(1_000);
      if (what === 'delete' || what === 'clear') {
        for (const socket of heard) expect(await socket.closed()).toBe(4404);
        expect((await set.call('GET', path(id), undefined, { at: 0 })).status).toBe(404);
        return;
      }
      const { turns } = await set.ask<Transcript>('GET', path(id, '/transcript'), undefined, 0);
      expect(turns).toHaveLength(1);
      if (what === 'cancel') expect((await set.say(id, 'On we go.', { at: 1 })).status).toBe(200);
      else expect((await set.ask<Session>('GET', path(id), undefined, 0)).flow_state).toBe('Ended');
    },
  );

  it('bring the words of a turn to a socket elsewhere as soon as to one beside it, numbered alike', async () => {
    const id = await set.started(1);
    const [near, far] = [await set.socket(id, 0), await set.socket(id, 1)];
    const arrived = new Map<number, number>();
    const late: number[] = [];
    near?.socket.on('message', (data) =>
      arrived.set((JSON.parse(String(data)) as { seq: number }).seq, performance.now()),
    );
    far?.socket.on('message', (data) => {
      const at = arrived.get((JSON.parse(String(data)) as { seq: number }).seq);
      if (at !== undefined) late.push(performance.now() - at);
    });
    expect((await set.say(id, 'Tell me how that looks to you.', { at: 0 })).status).toBe(200);
    await far?.next('npc.final');
    const told = (one: typeof near) => one?.messages.filter(({ type }) => type === 'npc.token').map(({ seq }) => seq);
    expect(told(far)?.length).toBeGreaterThan(3);
    expect(told(far)).toEqual(told(near));
    late.sort((a, b) => a - b);
    process.stderr.write(`tokens at the other instance: median ${(late[late.length >> 1] ?? 0).toFixed(2)} ms later\n`);
  });

  it('heed a switch that was thrown on the other', async () => {
    await set.ask('PATCH', '/api/settings', { save_transcripts: false }, 0);
    const session = await set.ask<Session>('POST', '/api/sessions', { scenario_id: 'the_ask' }, 1);
    expect(session.transcript_saved).toBe(false);
    await set.ask('PATCH', '/api/settings', { save_transcripts: true }, 1);
    expect((await set.ask<Session>('POST', '/api/sessions', { scenario_id: 'the_ask' }, 0)).transcript_saved).toBe(
      true,
    );
  });
});
