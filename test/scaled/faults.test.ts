import { type Health, type Session, type SessionExport, type Transcript } from '@parley/shared/contracts';
import { describeScaled, freePorts, temporaryFolder, waitUntil, type SocketRecorder } from '@parley/shared/testing';
import { launch } from '../set';
import { inconsistencies } from '../set/consistency';
import { KEY, ScaledSet } from './scaled-set';

const path = (id: string, operation = ''): string => `/api/sessions/${id}${operation}`;

const grows = ({ messages }: SocketRecorder): boolean =>
  messages.every(({ seq }, at) => at === 0 || seq > (messages[at - 1]?.seq ?? 0));

describeScaled('two session-apis when something fails', (servers) => {
  jest.setTimeout(120_000);
  let set: ScaledSet;
  beforeAll(async () => {
    set = await ScaledSet.start(servers(), { environment: { SIM_FAKE_WORD_DELAY_MS: '40' } });
  });
  afterAll(() => set.stop());

  const turnsOf = async (id: string, at: number): Promise<number> =>
    (await set.ask<Transcript>('GET', path(id, '/transcript'), undefined, at)).turns.length;
  /** A turn of the instance `at` that is under way: its answer, and a socket elsewhere that hears it. */
  const underWay = async (id: string, at: number, key: string) => {
    const heard = await set.socket(id, 1 - at);
    const answer = set.say(id, 'In the middle of it.', { at, key }).catch(() => null);
    await heard.next('npc.token');
    return { heard, answer };
  };

  it('one that is killed in a turn loses it to the other after its lease, which answers the repeated call once', async () => {
    const id = await set.started(0);
    const { answer } = await underWay(id, 1, 'killed-in-a-turn');
    await set.kill(1);
    expect(await answer).toBeNull();
    const begun = performance.now();
    const other = await set.say(id, 'Another line, at once.', { at: 0, key: 'another-line' });
    expect(other.body.code).toBe('TURN_IN_PROGRESS');
    const again = await set.say(id, 'In the middle of it.', { at: 0, key: 'killed-in-a-turn' });
    const waited = performance.now() - begun;
    expect(again.status).toBe(200);
    process.stderr.write(
      `the turn of a killed instance was played by the other after ${(waited / 1000).toFixed(1)} s\n`,
    );
    await set.restart(1);
    expect((await set.say(id, 'In the middle of it.', { at: 1, key: 'killed-in-a-turn' })).body).toEqual(again.body);
    expect(await turnsOf(id, 1)).toBe(3);
  });

  it('one that is frozen in a turn stores nothing of it when it wakes', async () => {
    const id = await set.started(0);
    const { answer } = await underWay(id, 1, 'frozen-in-a-turn');
    set.process(1).kill('SIGSTOP');
    const taken = await set.say(id, 'In the middle of it.', { at: 0, key: 'frozen-in-a-turn' });
    expect(taken.status).toBe(200);
    expect((await set.say(id, 'And on we go.', { at: 0 })).status).toBe(200);
    set.process(1).kill('SIGCONT');
    const late = await answer;
    expect([late?.status, late?.body.code]).toEqual([409, 'TURN_ABORTED']);
    expect(await turnsOf(id, 1)).toBe(5);
    expect((await set.say(id, 'Said to the one that was frozen.', { at: 1 })).status).toBe(200);
    expect(inconsistencies(await set.ask<SessionExport>('GET', path(id, '/export?format=json')))).toEqual([]);
  });

  it('Redis that is gone keeps no saved talk from going on, and is said; nothing is started again when it is back', async () => {
    const { redis } = servers();
    const pids = [0, 1].map((at) => set.process(at).pid);
    const id = await set.started(0);
    const heard = [await set.socket(id, 0), await set.socket(id, 1)] as const;
    await redis.kill();
    for (const at of [0, 1] as const) {
      const before = heard[at].messages.length;
      expect((await set.say(id, `Said to ${at} without Redis.`, { at })).status).toBe(200);
      // Messages reach the sockets of the same instance.
      await heard[at].next('npc.final', before);
      const health = await set.ask<Health>('GET', '/api/health', undefined, at);
      expect([health.status, health.storage.status]).toEqual(['degraded', 'ok']);
      expect(health.storage.warnings).toEqual([
        { code: 'redis_unreachable', message: expect.stringMatching(/^Redis does not answer: start it/) },
      ]);
    }
    const told = heard[0].messages.length;
    const cancelled = set.say(id, 'A turn that is cancelled without Redis.', { at: 0 });
    await heard[0].next('npc.token', told);
    expect((await set.call('POST', path(id, '/cancel'), undefined, { at: 1 })).status).toBe(200);
    expect((await cancelled).body.code).toBe('TURN_ABORTED');
    await redis.start();
    await waitUntil('health to be well', async () => {
      const all = await Promise.all([0, 1].map((at) => set.ask<Health>('GET', '/api/health', undefined, at)));
      return all.every(({ storage }) => storage.warnings.length === 0);
    });
    const before = heard[1].messages.length;
    expect((await set.say(id, 'Heard on both again.', { at: 0 })).status).toBe(200);
    await heard[1].next('npc.final', before);
    expect(heard.map(grows)).toEqual([true, true]);
    expect([0, 1].map((at) => set.process(at).pid)).toEqual(pids);
    expect(inconsistencies(await set.ask<SessionExport>('GET', path(id, '/export?format=json')))).toEqual([]);
  });

  it('Redis that hangs holds a turn up for seconds only', async () => {
    const { redis } = servers();
    const id = await set.started(0);
    const heard = await set.socket(id, 0);
    redis.freeze();
    const begun = performance.now();
    expect((await set.say(id, 'Said to a Redis that hangs.', { at: 0 })).status).toBe(200);
    await heard.next('npc.final');
    process.stderr.write(`a turn with a Redis that hangs took ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
    redis.thaw();
    await waitUntil('Redis to be used again', async () => {
      const health = await set.ask<Health>('GET', '/api/health', undefined, 0);
      return health.storage.warnings.length === 0;
    });
    expect((await set.say(id, 'Said when it goes on.', { at: 1 })).status).toBe(200);
    await waitUntil(
      'both turns to be heard once',
      () => heard.types().filter((type) => type === 'npc.final').length === 2,
    );
    expect(grows(heard)).toBe(true);
  });

  it('Redis whose memory is used up keeps no saved talk from going on, and is said', async () => {
    const { redis } = servers();
    await set.ask('PATCH', '/api/settings', { save_transcripts: false });
    const unsaved = await set.started(0);
    await set.ask('PATCH', '/api/settings', { save_transcripts: true });
    const id = await set.started(0);
    const heard = await set.socket(id, 0);
    expect(await redis.ask('CONFIG', 'SET', 'maxmemory', '1')).toBe('+OK\r\n');
    const refused = await set.say(unsaved, 'There is no room for this.', { at: 0 });
    expect([refused.status, refused.body.details]).toEqual([503, { service: 'redis', reason: 'redis_refused' }]);
    expect((await set.say(id, 'There is room for this.', { at: 0 })).status).toBe(200);
    await heard.next('npc.final');
    const health = await set.ask<Health>('GET', '/api/health', undefined, 0);
    expect([health.status, health.storage.warnings.map(({ code }) => code)]).toEqual(['degraded', ['redis_refused']]);
    expect(await redis.ask('CONFIG', 'SET', 'maxmemory', '0')).toBe('+OK\r\n');
    expect((await set.say(unsaved, 'There is room again.', { at: 0 })).status).toBe(200);
    expect((await set.say(id, 'Heard as before.', { at: 1 })).status).toBe(200);
    await waitUntil('both turns to be heard', () => heard.types().filter((type) => type === 'npc.final').length === 2);
    expect(grows(heard)).toBe(true);
  });

  it('one that starts while Redis is away serves without it, and uses it as soon as it is there', async () => {
    const { redis } = servers();
    const id = await set.started(0);
    await redis.kill();
    await set.kill(1, 'SIGTERM');
    await set.restart(1);
    const heard = await set.socket(id, 1);
    expect((await set.say(id, 'Said to the new one.', { at: 1 })).status).toBe(200);
    await heard.next('npc.final');
    await redis.start();
    await waitUntil('Redis to be used', async () => {
      const health = await set.ask<Health>('GET', '/api/health', undefined, 1);
      return health.storage.warnings.length === 0;
    });
    await waitUntil('the other to use it, too', async () => {
      const health = await set.ask<Health>('GET', '/api/health', undefined, 0);
      return health.storage.warnings.length === 0;
    });
    expect((await set.say(id, 'Said to the old one.', { at: 0 })).status).toBe(200);
    await waitUntil('both turns to be heard', () => heard.types().filter((type) => type === 'npc.final').length === 2);
    expect(grows(heard)).toBe(true);
  });

  it('tells who joins elsewhere that a session was deleted while Redis was away', async () => {
    const { redis } = servers();
    const id = await set.started(0);
    const heard = await set.socket(id, 0);
    await redis.kill();
    expect((await set.call('DELETE', path(id), undefined, { at: 1 })).status).toBe(204);
    await redis.start();
    expect(await heard.closed()).toBe(4404);
  });

  it('debriefs are made once, whoever asks where', async () => {
    const id = await set.started(0);
    expect((await set.say(id, 'A short talk.')).status).toBe(200);
    await set.ask<Session>('POST', path(id, '/end'));
    const both = await Promise.all([0, 1].map((at) => set.ask('POST', path(id, '/debrief'), undefined, at)));
    expect(both[0]).toEqual(both[1]);
  });

  it.each([
    [
      'without PostgreSQL',
      { SIM_INTERNAL_KEY: KEY },
      /^session_api: SIM_REDIS_URL="…" cannot be used: it needs PostgreSQL as well, in SIM_DATABASE_URL; .*\.\n$/,
    ],
    [
      'without a key',
      { SIM_DATABASE_URL: 'postgres://a@127.0.0.1:1/b' },
      /^session_api: SIM_REDIS_URL="…" cannot be used: it needs SIM_INTERNAL_KEY as well, .*\.\n$/,
    ],
  ] as const)('half a profile is refused at the start in one line: Redis %s', async (_what, environment, line) => {
    const folder = temporaryFolder('half');
    const one = launch('session_api', {
      environment: { SIM_DATA_DIR: folder.path, SIM_API_PORT: '0', SIM_REDIS_URL: servers().redis.url, ...environment },
    });
    expect((await one.ended).code).toBe(78);
    expect(one.output()).toMatch(line);
    folder.remove();
  });

  it.each([
    ['without a password', ''],
    ['with a wrong one', 'parley:another-osprey@'],
  ])('a Redis that wants a password is refused in one line %s, which does not tell it', async (_what, user) => {
    const { redis, postgres } = servers();
    await redis.kill();
    await redis.start({ save: '', appendonly: 'no' });
    expect(await redis.ask('CONFIG', 'SET', 'requirepass', 'osprey')).toBe('+OK\r\n');
    const folder = temporaryFolder('password');
    const [port = 0] = await freePorts(1);
    const one = launch('session_api', {
      environment: {
        SIM_DATA_DIR: folder.path,
        SIM_API_PORT: String(port),
        SIM_REDIS_URL: redis.url.replace('//', `//${user}`),
        SIM_DATABASE_URL: await postgres.createDatabase(),
        SIM_INTERNAL_KEY: KEY,
      },
    });
    expect((await one.ended).code).toBe(78);
    expect(one.output()).toMatch(
      /^session_api: redis:\/\/127\.0\.0\.1:\d+ cannot be used\. Redis refuses what Parley needs: .*\.\n$/,
    );
    folder.remove();
    await redis.kill();
    await redis.start();
  });

  it.each([
    ['save', { save: '60 1', appendonly: 'no' }],
    ['appendonly', { save: '', appendonly: 'yes' }],
  ] as const)(
    'a Redis that writes to a disk (%s) is refused in one line, which says how to switch it off',
    async (_what, settings) => {
      const { redis, postgres } = servers();
      await redis.kill();
      await redis.start(settings);
      const folder = temporaryFolder('persistent');
      const [port = 0] = await freePorts(1);
      const one = launch('session_api', {
        environment: {
          SIM_DATA_DIR: folder.path,
          SIM_API_PORT: String(port),
          SIM_REDIS_URL: redis.url,
          SIM_DATABASE_URL: await postgres.createDatabase(),
          SIM_INTERNAL_KEY: KEY,
        },
      });
      expect((await one.ended).code).toBe(78);
      expect(one.output()).toMatch(
        /^session_api: redis:\/\/127\.0\.0\.1:\d+ cannot be used\. Redis writes what it holds to a disk, .*: set its save to "" and its appendonly to no\.\n$/,
      );
      folder.remove();
      await redis.kill();
      await redis.start();
    },
  );
});
