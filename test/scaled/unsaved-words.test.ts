import { Debrief, Transcript, type Session, type TurnAnswer } from '@parley/shared/contracts';
import { describeScaled } from '@parley/shared/testing';
import { filesWith } from '../set/folder-bytes';
import { ScaledSet } from './scaled-set';

const SAVED = 'The kingfisher settles quincunxially upon the weir.';
const SAID = ['Vuvuzelas obnubilate the xylothek.', 'A gossipmonger floccinaucinihilipilificates zymurgy.'];
const WORDS = ['vuvuzelas', 'obnubilate', 'xylothek', 'gossipmonger', 'floccinaucinihil', 'zymurgy'];

const path = (id: string, operation = ''): string => `/api/sessions/${id}${operation}`;

describeScaled('a talk that is not saved, with two session-apis', (servers) => {
  let set: ScaledSet;
  let id: string;
  beforeAll(async () => {
    set = await ScaledSet.start(servers());
    const saved = await set.started();
    expect((await set.say(saved, SAVED)).status).toBe(200);
    await set.ask('PATCH', '/api/settings', { save_transcripts: false });
    id = await set.started();
  });
  afterAll(() => set.stop());

  const transcripts = async (): Promise<(string | null)[][]> =>
    Promise.all(
      [0, 1].map(async (at) => {
        const { turns } = Transcript.parse(await set.ask('GET', path(id, '/transcript'), undefined, at));
        return turns.map(({ text }) => text);
      }),
    );

  it('has all its words on both, whichever heard them', async () => {
    const answers: TurnAnswer[] = [];
    for (const [turn, text] of SAID.entries()) {
      const reply = await set.say(id, text, { key: `unsaved-turn-${turn}` });
      expect(reply.status).toBe(200);
      answers.push(reply.body);
    }
    // A repeat elsewhere is answered with the words, and tells other words from these.
    expect((await set.say(id, SAID[1] ?? '', { key: 'unsaved-turn-1' })).body).toEqual(answers[1]);
    expect((await set.say(id, SAID[1] ?? '', { key: 'unsaved-turn-1' })).body).toEqual(answers[1]);
    for (const at of [0, 1])
      expect((await set.say(id, 'Something else.', { key: 'unsaved-turn-1', at })).body.code).toBe(
        'IDEMPOTENCY_KEY_REUSED',
      );
    const [first, second] = await transcripts();
    expect(first).toEqual(second);
    expect(first?.filter((text) => text === null)).toEqual([]);
    expect(first?.[1]).toBe(SAID[0]);
  });

  it('can be answered anew on one and put back on the other', async () => {
    const before = (await transcripts())[0]?.at(-1);
    expect((await set.call('POST', path(id, '/regenerate'), undefined, { at: 0 })).status).toBe(200);
    const anew = await transcripts();
    expect(anew[0]).toEqual(anew[1]);
    const chosen = await set.call('PUT', path(id, '/turns/5/variant'), { variant: 1 }, { at: 1 });
    expect([chosen.status, chosen.text]).toEqual([200, expect.any(String)]);
    const back = await transcripts();
    expect([back[0]?.at(-1), back[1]?.at(-1)]).toEqual([before, before]);
  });

  it('is in no file of PostgreSQL, Redis or ours, and in Redis as nobody can read it', async () => {
    const { postgres, redis } = servers();
    await postgres.ask('checkpoint');
    const folders = [postgres.folder, redis.folder, set.set.folder.path, set.folder.path];
    expect(folders.flatMap((folder) => filesWith(folder, WORDS))).toEqual([]);
    // The same search finds what was saved.
    expect(filesWith(postgres.folder, ['quincunxially']).length).toBeGreaterThan(0);
    const [name = ''] = /parley:\w+:words:\S+/.exec(await redis.ask('KEYS', '*')) ?? [];
    expect(name).toContain(id);
    const held = await redis.ask('HGETALL', name);
    expect(held.length).toBeGreaterThan(500);
    for (const word of WORDS) expect(held.toLowerCase()).not.toContain(word);
    const seconds = Number((await redis.ask('TTL', name)).slice(1));
    expect([seconds > 1_700, seconds <= 1_800]).toEqual([true, true]);
    for (const at of [0, 1]) for (const word of WORDS) expect(set.process(at).output()).not.toContain(word);
  });

  it('gets a letter with its words, told at both, and leaves none behind', async () => {
    await set.ask('POST', path(id, '/end'), undefined, 1);
    const letter = Debrief.parse(await set.ask('POST', path(id, '/debrief'), undefined, 1));
    expect(Debrief.parse(await set.ask('GET', path(id, '/debrief'), undefined, 0))).toEqual(letter);
    expect((await transcripts())[0]?.filter((text) => text !== null)).toEqual([]);
    expect((await set.call('DELETE', path(id))).status).toBe(204);
    expect(await servers().redis.ask('KEYS', `*words:${id}`)).toBe('*0\r\n');
  });

  it('answers 503 while Redis is away, and goes on when it is back', async () => {
    const { redis } = servers();
    const unsaved = await set.started();
    const saved = (await set.ask<{ sessions: Session[] }>('GET', '/api/sessions')).sessions.at(-1)?.id ?? '';
    await redis.kill();
    for (const at of [0, 1]) {
      const refused = await set.say(unsaved, 'Is anybody there?', { at });
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        { service: 'redis', reason: 'redis_unreachable' },
      ]);
      expect((await set.say(saved, `On we go, said to ${at}.`, { at })).status).toBe(200);
    }
    await redis.start();
    // What was said before is gone with it, and what is said from now on is kept.
    for (const at of [0, 1]) {
      for (let tries = 0; ; tries += 1) {
        const reply = await set.say(unsaved, `There you are, said to ${at}.`, { at });
        if (reply.status === 200) break;
        expect([reply.status, tries < 200]).toEqual([503, true]);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    const { turns } = await set.ask<Transcript>('GET', path(unsaved, '/transcript'));
    expect(turns.map(({ text }) => text === null)).toEqual([true, false, false, false, false]);
  });
});
