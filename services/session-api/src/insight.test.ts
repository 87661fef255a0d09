import type {
  ChatRequest,
  Comparison,
  DebugPrompt,
  Problem,
  SafetyCheck,
  Session,
  StartAnswer,
  TryAnswer,
  TurnAnswer,
} from '@parley/shared/contracts';
import { inPieces, npcTurnJson, scenarioFixture, waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

describe('what authors and learners look into', () => {
  let set: SessionApiSet;
  let asked: ChatRequest[];
  beforeAll(async () => {
    set = await startSessionApiSet();
    asked = set.gateway.requests;
  });
  afterAll(() => set.stop());
  beforeEach(() =>
    set.gateway.reply((_request, count) => ({
      kind: 'text',
      pieces: inPieces(npcTurnJson({ npc_utterance: `Answer ${count}.`, state_delta: { alarm: 2 } })),
    })),
  );

  const started = async (): Promise<Session> => {
    const { body } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    return (await set.call<StartAnswer>('POST', `/api/sessions/${body.id}/start`)).body.session;
  };
  const say = async (id: string, text: string): Promise<TurnAnswer> =>
    (await set.call<TurnAnswer>('POST', `/api/sessions/${id}/turn`, { text })).body;

  it('shows the prompt of every turn exactly as the runtime got it', async () => {
    const session = await started();
    const first = asked.length;
    for (let turn = 0; turn < 9; turn += 1) await say(session.id, `Point ${turn} about the delay.`);
    for (let turn = 0; turn < 9; turn += 1) {
      const reply = await set.call<DebugPrompt>('GET', `/api/sessions/${session.id}/debug/prompt?turn=${2 + 2 * turn}`);
      expect(reply.status).toBe(200);
      expect(reply.body.messages).toEqual(asked[first + turn]?.messages);
      expect(reply.body.json_schema).toEqual(asked[first + turn]?.json_schema);
    }
    const last = await set.call<DebugPrompt>('GET', `/api/sessions/${session.id}/debug/prompt`);
    expect(last.body.turn).toBe(18);
  });

  it('tells in a long talk what it would tell if it read the whole talk anew', async () => {
    const content = { ...scenarioFixture(), duration: { max_turns: 60, soft_time_limit_minutes: 60 }, endings: [] };
    const long = await startSessionApiSet({ content });
    try {
      long.gateway.reply((_request, count) => ({
        kind: 'text',
        pieces: inPieces(
          npcTurnJson({ npc_utterance: `Answer ${count}.`, event_flags: count === 2 ? ['false_promise'] : [] }),
        ),
      }));
      const { id } = (await long.call<Session>('POST', '/api/sessions', { scenario_id: content.id })).body;
      await long.call('POST', `/api/sessions/${id}/start`);
      for (let turn = 1; turn <= 24; turn += 1) {
        if (turn === 20) await long.restart();
        const said = await long.call('POST', `/api/sessions/${id}/turn`, { text: `Point ${turn} about the delay.` });
        expect(said.status).toBe(200);
        const sent = long.gateway.requests.at(-1)?.messages;
        const anew = await long.call<DebugPrompt>('GET', `/api/sessions/${id}/debug/prompt`);
        expect(anew.body.messages).toEqual(sent);
      }
      const system = long.gateway.requests.at(-1)?.messages[0]?.content;
      expect(system).toContain('Turns 1 to 30 are not shown any more.');
      expect(system).toMatch(/Raised: false_promise \(turn [1-6]\)/);
    } finally {
      await long.stop();
    }
  });

  it('keeps what is static byte for byte, and most of the prompt before the window slides', async () => {
    const session = await started();
    const first = asked.length;
    for (let turn = 0; turn < 6; turn += 1)
      await say(session.id, 'The part is two weeks late; here is what I can offer you instead.');
    const prompts = asked.slice(first).map((request) => request.messages.map((one) => one.content).join('\n'));
    for (const [at, prompt] of prompts.entries()) {
      const before = prompts[at - 1];
      if (before === undefined) continue;
      let shared = 0;
      while (shared < before.length && before[shared] === prompt[shared]) shared += 1;
      expect(shared / before.length).toBeGreaterThan(0.85);
    }
  });

  it.each(['?turn=3', '?turn=99', '?turn=0', '?turn=x'])(
    'refuses the prompt of %s, which is no turn of the player',
    async (query) => {
      const session = await started();
      await say(session.id, 'Hello');
      const reply = await set.call<Problem>('GET', `/api/sessions/${session.id}/debug/prompt${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('shows no prompt of a session whose text is not kept', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const session = await started();
    await set.call('PATCH', '/api/settings', { save_transcripts: true });
    await say(session.id, 'Hello');
    const reply = await set.call<Problem>('GET', `/api/sessions/${session.id}/debug/prompt`);
    expect([reply.status, reply.body.code]).toEqual([409, 'TRANSCRIPT_NOT_SAVED']);
  });

  it.each([
    ['The part comes on Thursday.', undefined, 'ok'],
    ['I want to kill myself.', undefined, 'stop_with_resource_message'],
    ['This deadline is killing me.', 'late_delivery', 'ok'],
  ])('runs the classifier dry on %j', async (text, scenario_id, action) => {
    const reply = await set.call<SafetyCheck>('POST', '/api/safety/check', {
      text,
      ...(scenario_id ? { scenario_id } : {}),
    });
    expect([reply.status, reply.body.action, reply.body.enforced]).toEqual([200, action, false]);
  });

  it('has the runtime read all but the last message while the player types, once a turn', async () => {
    const session = await started();
    await say(session.id, 'One');
    const before = set.gateway.prewarmed.length;
    for (let key = 0; key < 3; key += 1)
      expect((await set.call('POST', `/api/sessions/${session.id}/typing`)).status).toBe(204);
    await waitUntil('the prompt to be read', () => set.gateway.prewarmed.length > before);
    const turn = asked.length;
    await say(session.id, 'Two');
    expect(set.gateway.prewarmed.length).toBe(before + 1);
    expect(set.gateway.prewarmed.at(-1)?.messages).toEqual(asked[turn]?.messages.slice(0, -1));
    await set.call('POST', `/api/sessions/${session.id}/end`);
    const late = await set.call<Problem>('POST', `/api/sessions/${session.id}/typing`);
    expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE']);
  });

  it('compares a retry with its original, also when that is gone', async () => {
    const session = await started();
    await say(session.id, 'One');
    await say(session.id, 'Two');
    const plain = await set.call<Problem>('GET', `/api/sessions/${session.id}/compare`);
    expect([plain.status, plain.body.code]).toEqual([409, 'INVALID_STATE']);
    const fork = (await set.call<Session>('POST', `/api/sessions/${session.id}/fork`, { turn: 3 })).body;
    set.gateway.reply(() => ({ kind: 'text', pieces: [npcTurnJson({ state_delta: { alarm: 1 } })] }));
    await say(fork.id, 'Another way');
    const { body } = await set.call<Comparison>('GET', `/api/sessions/${fork.id}/compare`);
    expect(body).toMatchObject({ forked_at: 3, parent: { session_id: session.id }, fork: { session_id: fork.id } });
    expect(body.variables.find((one) => one.name === 'alarm')).toEqual({
      name: 'alarm',
      parent: 14,
      fork: 13,
      change: -1,
    });
    await set.call('DELETE', `/api/sessions/${session.id}`);
    const orphan = await set.call<Comparison>('GET', `/api/sessions/${fork.id}/compare`);
    expect([orphan.status, orphan.body.parent]).toEqual([200, null]);
  });

  it('exports Markdown in which nothing that was said becomes markup', async () => {
    const session = await started();
    await say(session.id, '# Not a heading\n- no *list* <b>or</b> [link](x)');
    await say(session.id, 'A line\n===\nanother\n---\n1. one\n2) two &lt; three');
    const reply = await fetch(`${set.url}/api/sessions/${session.id}/export?format=markdown`);
    expect(reply.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toContain('.md');
    const text = await reply.text();
    expect(text).toContain('# The late delivery');
    expect(text).toContain('- Your lines: 2');
    expect(text).toContain('**2. You**\n\nA line');
    expect(text).toContain('\\# Not a heading');
    expect(text).toContain('\\- no \\*list\\* \\<b\\>or\\</b\\> \\[link\\](x)');
    expect(text).toContain('A line  \n\\===  \nanother  \n\\---  \n1\\. one  \n2\\) two \\&lt; three');
    expect((await set.call<Problem>('GET', `/api/sessions/${session.id}/export?format=pdf`)).status).toBe(400);
  });

  it('asks the worker to score again, and only when there is a debrief', async () => {
    const session = await started();
    const reply = await set.call<Problem>('POST', `/api/sessions/${session.id}/rescore`);
    expect([reply.status, reply.body.code]).toEqual([409, 'INVALID_STATE']);
  });
});

describe('the classifier, connected', () => {
  let set: SessionApiSet;
  beforeAll(async () => {
    set = await startSessionApiSet({ config: { safety_precheck: 'enforce' } });
  });
  afterAll(() => set.stop());

  it.each([
    ['I want to kill myself.', 'Ended', 'safety_stop'],
    ['The part is late.', 'PlayerTurnListening', null],
  ])('lets %j lead to %s', async (text, state, ending) => {
    const { body } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    await set.call('POST', `/api/sessions/${body.id}/start`);
    const before = set.gateway.requests.length;
    const turn = await set.call<TurnAnswer>('POST', `/api/sessions/${body.id}/turn`, { text });
    expect(turn.status).toBe(200);
    expect([turn.body.session.flow_state, turn.body.session.ending_type]).toEqual([state, ending]);
    expect(set.gateway.requests.length - before).toBe(ending === null ? 1 : 0);
  });

  it('answers a line that is tried again as it answers a turn, without the model', async () => {
    const { body } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    await set.call('POST', `/api/sessions/${body.id}/start`);
    await set.call('POST', `/api/sessions/${body.id}/turn`, { text: 'The part is late.' });
    await set.call('POST', `/api/sessions/${body.id}/end`);
    const before = set.gateway.requests.length;
    const path = `/api/sessions/${body.id}/moments/2/tries`;
    const tried = await set.call<TryAnswer>('POST', path, { text: 'I want to kill myself.', reply: true });
    expect(tried.status).toBe(200);
    expect(tried.body.npc_text).toEqual(expect.stringMatching(/\S/));
    expect(set.gateway.requests.length).toBe(before);
  });
});
