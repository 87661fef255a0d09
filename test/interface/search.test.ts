import { scriptedGateway, type ScriptedGateway } from '@parley/shared/testing';
import { asTurn, say, scriptTurns, startParleySet, startedSession, type ParleySet } from '../set';

describe('GET /api/sessions?q=', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  beforeAll(async () => {
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url });
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
  });
  beforeEach(() => scriptTurns(gateway));

  describe('full-text search of saved transcripts', () => {
    let zebra = '';
    beforeAll(async () => {
      scriptTurns(gateway, asTurn({ npc_utterance: 'A giraffe in the café? Naïve.' }));
      ({ id: zebra } = await startedSession(set));
      await say(set, zebra, 'The zebra costs 53,000 "all in", OK?');
    });
    const search = async (q: string): Promise<{ id: string; snippet?: string | null | undefined }[]> =>
      (await set.ask('listSessions', { query: { q } })).sessions;

    it('finds what both said, in any case and without accents, with a snippet', async () => {
      for (const q of ['zebra', 'ZEBRA', 'giraffe', 'cafe', 'naive', '53,000', 'zebra 53', '"all in"']) {
        const hits = await search(q);
        expect([q, hits.map((hit) => hit.id)]).toEqual([q, [zebra]]);
        expect(hits[0]?.snippet?.length ?? 0).toBeGreaterThan(0);
      }
      expect(await search('unicorn')).toEqual([]);
    });

    it.each([
      '"',
      '""',
      "'",
      '*',
      'a*',
      '(',
      ')',
      '((',
      'AND',
      'OR NOT',
      'NEAR(a b)',
      'text:zebra',
      '-zebra',
      '^',
      '{a}',
      ':',
      '%',
      '_',
      '\\',
      ';DROP TABLE turns;--',
      '\u0000',
      '\ud83d',
      '\u{1F600}',
      '   ',
      '+',
      ',',
      '\u202e',
      'x'.repeat(2000),
    ])('takes %j as plain words, never as a syntax error', async (q) => {
      const reply = await set.call('GET', `/api/sessions?q=${encodeURIComponent(q.isWellFormed() ? q : '\ufffd')}`);
      expect(reply.status).toBe(200);
    });

    it('finds nothing of a deleted session, of one that is not saved, and of a turn that failed', async () => {
      scriptTurns(gateway);
      const { id } = await startedSession(set);
      await say(set, id, 'A wombat.');
      expect(await search('wombat')).toHaveLength(1);
      await set.call('DELETE', `/api/sessions/${id}`);
      expect(await search('wombat')).toEqual([]);
      await set.ask('patchSettings', { body: { save_transcripts: false } });
      const unsaved = await startedSession(set);
      await set.ask('patchSettings', { body: { save_transcripts: true } });
      await say(set, unsaved.id, 'An axolotl.');
      expect(await search('axolotl')).toEqual([]);
      scriptTurns(gateway, { kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' });
      await say(set, zebra, 'A capybara.');
      expect(await search('capybara')).toEqual([]);
    });
  });
});
