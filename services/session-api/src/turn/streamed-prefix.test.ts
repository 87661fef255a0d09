import type { Session, TurnAnswer } from '@parley/shared/contracts';
import { inPieces, npcTurnJson, recordSocket, scenarioFixture, waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../../testing/session-api-set';

const LINE = 'The part comes two weeks late because the factory stopped.';

describe('what is streamed of a reply that is not clean', () => {
  let set: SessionApiSet;
  beforeAll(async () => {
    set = await startSessionApiSet();
  });
  afterAll(() => set.stop());

  it.each([
    ['a value', 'I need it on Monday. My trust is now 46. What do you do about it?', /trust/],
    ['an id', 'I need it on Monday. That raises objective_progress by ten.', /objective_progress/],
    ['the line of the player', `I need it on Monday. ${LINE} What do you do about it?`, /factory/],
    ['nearly the line of the player', `I need it on Monday. So ${LINE.toLowerCase()}`, /factory/],
    ['a stage direction', 'I need it on Monday. *looks away* What do you do about it?', /looks away/],
  ])('(%s) is the beginning of what stands in the end, and is never taken back', async (_what, utterance, hidden) => {
    const { id } = (await set.call<Session>('POST', '/api/sessions', { scenario_id: scenarioFixture().id })).body;
    await set.call('POST', `/api/sessions/${id}/start`);
    const socket = await recordSocket(set.url, id);
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(npcTurnJson({ npc_utterance: utterance }), 3) }));
    const { body } = await set.call<TurnAnswer>('POST', `/api/sessions/${id}/turn`, { text: LINE });
    await waitUntil('the final words', () => socket.types().includes('npc.final'));
    const tokens = socket.messages.flatMap(({ type, payload }) =>
      type === 'npc.token' ? [(payload as { text: string }).text] : [],
    );
    const heard = body.npc_turn.text ?? '';
    expect(tokens.length).toBeGreaterThan(2);
    expect(tokens.join('')).toBe(heard.slice(0, tokens.join('').length));
    expect(heard).not.toMatch(hidden);
    expect(heard).toMatch(/^I need it on Monday\./);
    socket.close();
  });
});
