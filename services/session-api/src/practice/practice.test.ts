import type { CoachAnswer, Problem, Session, SessionExport, TryAnswer, TurnAnswer } from '@parley/shared/contracts';
import { inPieces, judgedScenario, npcTurnJson, recordSocket, waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../../testing/session-api-set';

let set: SessionApiSet;
beforeAll(async () => {
  set = await startSessionApiSet({ content: judgedScenario() });
});
afterAll(() => set.stop());
beforeEach(() => {
  set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(npcTurnJson({ npc_utterance: 'I hear you.' })) }));
});

const create = async (body: object = {}): Promise<Session> => {
  const created = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery', ...body });
  await set.call('POST', `/api/sessions/${created.body.id}/start`);
  return created.body;
};
const say = async (id: string, text: string): Promise<TurnAnswer> =>
  (await set.call<TurnAnswer>('POST', `/api/sessions/${id}/turn`, { text })).body;
const ended = async (...texts: string[]): Promise<string> => {
  const { id } = await create();
  for (const text of texts) await say(id, text);
  await set.call('POST', `/api/sessions/${id}/end`);
  return id;
};
const attempt = (id: string, turn: number | string, body: object) =>
  set.call<TryAnswer & Problem>('POST', `/api/sessions/${id}/moments/${turn}/tries`, body);

describe('a turn of a scenario with signs', () => {
  it('raises what the words prove, whatever the model names', async () => {
    const { id } = await create();
    set.gateway.reply(() => ({
      kind: 'text',
      pieces: inPieces(
        npcTurnJson({ event_flags: ['named_number', 'asked'], state_delta: { objective_progress: 20 } }),
      ),
    }));
    const flattered = await say(id, 'Hello there, Dana.');
    expect(flattered.session.flags).toEqual([]);
    // Half of each move that only the model named, once; nothing for its own favours.
    expect(flattered.session.state_vars['objective_progress']).toBe(10);
    const proven = await say(id, 'I am asking for 53,000.');
    expect(proven.session.flags).toEqual(['named_number']);
    expect(proven.session.state_vars['objective_progress']).toBe(20);
  });

  it('is restored with its moves by a fork, which goes on as the original did', async () => {
    const { id } = await create();
    await say(id, 'I am asking for 53,000.');
    const fork = await set.call<Session>('POST', `/api/sessions/${id}/fork`, { turn: 3 });
    const [one, other] = [await say(id, 'What about 54,000?'), await say(fork.body.id, 'What about 54,000?')];
    expect(other.session.state_vars).toEqual(one.session.state_vars);
    expect(other.session.flags).toEqual(one.session.flags);
  });
});

describe('a moment tried again', () => {
  it('shows which checks a line meets, by which words, and what to try next', async () => {
    const id = await ended('Hello.', 'How are things?', 'Well then.');
    const { status, body } = await attempt(id, 2, { text: 'I am asking for 53,000.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ line: 1, moves: ['named_number'], tries_left: 2, npc_text: null, npc_emotion: null });
    const figure = body.checks.find((one) => one.id === 'figure');
    expect(figure).toMatchObject({ verdict: 'met', text: 'Does figure' });
    expect('I am asking for 53,000.'.slice(figure?.evidence?.start, figure?.evidence?.end)).toContain('53,000');
    expect(body.checks.find((one) => one.id === 'asks')?.verdict).toBe('missed');
    expect(body.checks.find((one) => one.id === 'warm')?.verdict).toBe('not_judged');
    expect(body.next).toBe('Does asks');
  });

  it('lists no check that the talk had met before, nor one whose time was over', async () => {
    const id = await ended('I am asking for 53,000.', 'Well.', 'What now?');
    const { body } = await attempt(id, 6, { text: 'Hm.' });
    expect(body.checks.map((one) => one.id)).toEqual(['asks', 'warm']);
  });

  it('says what a line does wrong first', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    expect((await attempt(id, 4, { text: 'I would settle for less.' })).body.next).toBe(
      'Say it without this: Does lowered',
    );
  });

  it('says what to try next in the language of the talk', async () => {
    const english = set;
    set = await startSessionApiSet({ content: { ...judgedScenario(), language: 'de', languages: ['de'] } });
    try {
      const id = await ended('Hallo.', 'Tja.', 'So.');
      expect((await attempt(id, 4, { text: 'I would settle for less.' })).body.next).toBe(
        'Sag es ohne das: Does lowered',
      );
    } finally {
      await set.stop();
      set = english;
    }
  });

  it('takes three tries, also when six come at once, and changes neither turns nor the session', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    const before = (await set.call<Session>('GET', `/api/sessions/${id}`)).body;
    const all = await Promise.all(Array.from({ length: 6 }, (_, at) => attempt(id, 2, { text: `Line ${at}.` })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
    expect(
      all
        .filter(({ status }) => status === 200)
        .map(({ body }) => body.tries_left)
        .sort(),
    ).toEqual([0, 1, 2]);
    expect(all.find(({ status }) => status === 409)?.body.code).toBe('INVALID_STATE');
    expect((await attempt(id, 4, { text: 'Another moment.' })).status).toBe(200);
    expect((await set.call<Session>('GET', `/api/sessions/${id}`)).body).toEqual(before);
    const exported = (await set.call<SessionExport>('GET', `/api/sessions/${id}/export`)).body;
    expect(exported.turns).toHaveLength(7);
    expect(exported.drills.map((drill) => [drill.turn, drill.try])).toEqual([
      [2, 1],
      [2, 2],
      [2, 3],
      [4, 1],
    ]);
  });

  it('goes with its session', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    await attempt(id, 2, { text: 'Gone soon.' });
    expect((await set.call('DELETE', `/api/sessions/${id}`)).status).toBe(204);
    expect((await attempt(id, 2, { text: 'x' })).status).toBe(404);
  });

  it('asks the character once when a reply is wanted, and stores no turn of it', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    set.gateway.reply(() => ({
      kind: 'text',
      pieces: inPieces(npcTurnJson({ npc_utterance: 'Fifty-three. All right.' })),
    }));
    const { body } = await attempt(id, 2, { text: 'I am asking for 53,000.', reply: true });
    expect(body.npc_text).toBe('Fifty-three. All right.');
    const asked = JSON.stringify(set.gateway.requests.at(-1)?.messages);
    expect(asked).toContain('I am asking for 53,000.');
    expect(asked).not.toContain('Well.');
    expect((await set.call<SessionExport>('GET', `/api/sessions/${id}/export`)).body.turns).toHaveLength(7);
  });

  it('answers the words of the last try as a part of that try, also of the third, and streams the answer', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    await attempt(id, 2, { text: 'One.' });
    expect((await attempt(id, 2, { text: 'One.', reply: true })).body).toMatchObject({ tries_left: 2 });
    await attempt(id, 2, { text: 'Two.' });
    await attempt(id, 2, { text: 'Three.' });
    const live = await recordSocket(set.url, id);
    await live.next('session.state');
    const { status, body } = await attempt(id, 2, { text: 'Three.', reply: true });
    expect([status, body.tries_left, body.npc_text]).toEqual([200, 0, 'I hear you.']);
    expect(body.npc_emotion).toEqual(expect.any(String));
    const streamed = () =>
      live.messages.flatMap((one) => (one.type === 'npc.token' ? [one.payload.text] : [])).join('');
    await waitUntil('the streamed words', () => streamed() === 'I hear you.');
    live.close();
    expect((await attempt(id, 2, { text: 'One.', reply: true })).status).toBe(409);
  });

  it('answers the words of the last try as a part of that try in a session that is not saved, too', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const id = await ended('Hello.', 'Well.', 'So.').finally(() =>
      set.call('PATCH', '/api/settings', { save_transcripts: true }),
    );
    await attempt(id, 2, { text: 'One.' });
    const { body } = await attempt(id, 2, { text: 'One.', reply: true });
    expect([body.tries_left, body.npc_text]).toEqual([2, 'I hear you.']);
    await attempt(id, 2, { text: 'Two.' });
    expect((await attempt(id, 2, { text: 'One.', reply: true })).body.tries_left).toBe(0);
    const { drills } = (await set.call<SessionExport>('GET', `/api/sessions/${id}/export`)).body;
    expect(drills.map(({ text }) => text)).toEqual([null, null, null]);
  });

  it('stores no try of a talk whose debrief is begun while the character answers', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const before = set.gateway.requests.length;
    set.gateway.reply(() => ({ kind: 'hang', pieces: [npcTurnJson()], until }));
    const trying = attempt(id, 2, { text: 'One.', reply: true });
    await waitUntil('the model to be asked', () => set.gateway.requests.length > before);
    await set.call('POST', `/api/sessions/${id}/debrief`, undefined, { prefer: 'respond-async' });
    release();
    expect(await trying).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
    expect((await set.call<SessionExport>('GET', `/api/sessions/${id}/export`)).body.drills).toEqual([]);
  });

  it('stores nothing when the runtime cannot be reached', async () => {
    const id = await ended('Hello.', 'Well.', 'So.');
    set.gateway.reply(() => ({ kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' }));
    expect(await attempt(id, 2, { text: 'I am asking.', reply: true })).toMatchObject({
      status: 503,
      body: { code: 'RUNTIME_UNAVAILABLE' },
    });
    expect((await attempt(id, 2, { text: 'I am asking.' })).body.tries_left).toBe(2);
  });

  it.each([
    ['in play', async () => (await create()).id, 2, { text: 'x' }, 409, 'INVALID_STATE'],
    ['at the turn of the character', () => ended('Hello.', 'Well.', 'So.'), 3, { text: 'x' }, 400, 'VALIDATION_ERROR'],
    ['at a turn that never was', () => ended('Hello.', 'Well.', 'So.'), 8, { text: 'x' }, 400, 'VALIDATION_ERROR'],
    ['with no words', () => ended('Hello.', 'Well.', 'So.'), 2, { text: '  ' }, 400, 'TURN_INPUT_ERROR'],
    ['with something else', () => ended('Hello.', 'Well.', 'So.'), 2, { text: 'x', mood: 1 }, 400, 'VALIDATION_ERROR'],
  ])('is refused %s', async (_where, prepare, turn, body, status, code) => {
    expect(await attempt(await prepare(), turn, body)).toMatchObject({ status, body: { code } });
  });
});

describe('coaching', () => {
  const coach = (id: string, text: string) =>
    set.call<CoachAnswer & Problem>('POST', `/api/sessions/${id}/coach`, { text });

  it('says what a line would lack, and nothing of one that does something', async () => {
    const session = await create({ difficulty: 'standard', coaching: true });
    expect(session.coaching).toBe(true);
    const { status, body } = await coach(session.id, 'Hello there.');
    expect(status).toBe(200);
    expect(body.nudges).toEqual([
      { check: 'figure', text: 'Does figure' },
      { check: 'asks', text: 'Does asks' },
    ]);
    const asking = 'I am asking for 53,000.';
    const does = (await coach(session.id, asking)).body;
    expect(does.nudges).toEqual([]);
    expect(does.met.map(({ check }) => check)).toEqual(['figure', 'early']);
    expect(asking.slice(does.met[0]?.evidence?.start, does.met[0]?.evidence?.end)).toContain('53,000');
    const lowered = (await coach(session.id, 'I would settle for 48,000.')).body.nudges;
    expect(lowered[0]).toEqual({ check: 'lowered', text: 'Does lowered' });
    expect((await set.call<Session>('GET', `/api/sessions/${session.id}`)).body.turn_count).toBe(1);
  });

  it('is for coached sessions in play only, and offered at the easiest difficulty only', async () => {
    const plain = await create();
    expect(await coach(plain.id, 'Hello.')).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
    const coached = await create({ difficulty: 'standard', coaching: true });
    await set.call('POST', `/api/sessions/${coached.id}/end`);
    expect(await coach(coached.id, 'Hello.')).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
    const body = { scenario_id: 'late_delivery', difficulty: 'hard', coaching: true };
    const harder = await set.call<Problem>('POST', '/api/sessions', body);
    expect(harder).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});
