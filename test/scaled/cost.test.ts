import { describeScaled } from '@parley/shared/testing';
import { ScaledSet } from './scaled-set';

const TURNS = 40;

/** What the servers that several session-apis share are asked for by one turn: numbers for docs/scaling.md, and a bound on each. */
describeScaled('the cost of a turn with two session-apis', (servers) => {
  let set: ScaledSet;
  beforeAll(async () => {
    set = await ScaledSet.start(servers(), { environment: { SIM_FAKE_WORD_DELAY_MS: '0' } });
  });
  afterAll(() => set.stop());

  it('is two write transactions, and a command of Redis for each batch of messages', async () => {
    const { postgres, redis } = servers();
    const database = new URL(set.databaseUrl).pathname.slice(1);
    const commits = async (): Promise<number> => {
      // The server's processes tell what they did when they have been idle for a moment.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const [row] = await postgres.ask(
        `select xact_commit::int as n from pg_stat_database where datname = '${database}'`,
      );
      return Number(row?.['n']);
    };
    const id = await set.started(0);
    const heard = await set.socket(id, 1);
    expect((await set.say(id, 'One turn to begin with.', { at: 0 })).status).toBe(200);
    const before = await commits();
    await redis.ask('CONFIG', 'RESETSTAT');
    const took: number[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const begun = performance.now();
      const { status } = await set.say(id, `And what about point ${turn}?`, { at: turn % 2, key: `cost-of-${turn}` });
      took.push(performance.now() - begun);
      if (status !== 200) throw new Error(`turn ${turn} was answered with ${status}`);
      if ((await set.ask<{ flow_state: string }>('GET', `/api/sessions/${id}`)).flow_state !== 'PlayerTurnListening')
        break;
    }
    const turns = took.length;
    const stats = await redis.ask('INFO', 'commandstats');
    const calls = Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    const perTurn = { commits: ((await commits()) - before) / turns, scripts: calls / turns };
    took.sort((a, b) => a - b);
    const messages = heard.messages.length / (turns + 1);
    process.stderr.write(
      `a turn, of ${turns}: median ${(took[turns >> 1] ?? 0).toFixed(1)} ms, ${perTurn.commits.toFixed(1)} transactions and reads of PostgreSQL, ${perTurn.scripts.toFixed(1)} scripts of Redis for ${messages.toFixed(1)} messages\n`,
    );
    // The look at the session that the test itself takes, and the start of a prepared session, are among them.
    expect(perTurn.commits).toBeLessThan(16);
    expect(perTurn.scripts).toBeGreaterThan(0.9);
    expect(perTurn.scripts).toBeLessThan(messages);
    expect(await postgres.ask('select count(*)::int as n from turn_claims', database)).toEqual([{ n: 0 }]);
  });
});
