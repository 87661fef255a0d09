import { setTimeout as sleep } from 'node:timers/promises';
import type { Session, SessionExport, TurnAnswer } from '@parley/shared/contracts';
import { describeScaled, waitUntil } from '@parley/shared/testing';
import type { Reply } from '../set';
import { inconsistencies } from '../set/consistency';
import { seededRandom } from '../set/random';
import { ScaledSet } from './scaled-set';

/** Each kind once, then as chance has it. SCALED_KILLS=200 is the long run, by hand. */
const KILLS = Number(process.env['SCALED_KILLS'] ?? 20);
const SEED = Number(process.env['SCALED_SEED'] ?? 20_261_123);
const PLAYERS = 6;
const LONGEST_PAUSE_MS = 500;
const FROZEN_MS = 1_000;
/** A turn in the middle of which an instance died is free after ten seconds. */
const PER_KILL_MS = 8_000;

const path = (id: string, operation = ''): string => `/api/sessions/${id}${operation}`;

interface Told {
  readonly id: string;
  readonly text: string;
  readonly answer: TurnAnswer;
}

/** Plays talks without end, each call to whichever instance is next, and repeats by its key what was not answered. */
class Players {
  readonly told: Told[] = [];
  readonly sessions: string[] = [];
  readonly surprises: string[] = [];
  repeats = 0;
  running = 0;
  private stopping = false;
  private count = 0;

  constructor(
    private readonly set: ScaledSet,
    private readonly random: () => number,
  ) {}

  private async insist<T>(method: string, target: string, body?: unknown, key?: string): Promise<Reply<T>> {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    for (let first = true; ; first = false) {
      if (!first) this.repeats += 1;
      const reply = await this.set.call<T & { code?: string }>(method, target, body, { headers }).catch(() => null);
      const isBusy = reply?.body.code === 'TURN_IN_PROGRESS' || reply?.body.code === 'TURN_ABORTED';
      if (reply !== null && reply.status < 500 && !isBusy) return reply;
      if (reply !== null && reply.status >= 500 && reply.status !== 503)
        this.surprises.push(`${method} ${target}: ${reply.text}`);
      await sleep(20);
    }
  }

  stop(): void {
    this.stopping = true;
  }

  async play(): Promise<void> {
    while (!this.stopping) {
      this.count += 1;
      const body = { scenario_id: 'the_ask' };
      const { id } = (await this.insist<Session>('POST', '/api/sessions', body, `session-${this.count}-of-all`)).body;
      this.sessions.push(id);
      await this.insist('POST', path(id, '/start'));
      for (let state = 'PlayerTurnListening'; state === 'PlayerTurnListening' && !this.stopping;) {
        state = await this.say(id);
        if (this.random() < 0.15) break;
      }
      await this.insist('POST', path(id, '/end'));
      // The others are debriefed when all is quiet.
      if (this.random() < 0.5) await this.insist('POST', path(id, '/debrief'));
    }
  }

  private async say(id: string): Promise<string> {
    this.count += 1;
    const text = `What would help you with point number${this.count}mark, and could we agree on a day?`;
    this.running += 1;
    const reply = await this.insist<TurnAnswer>('POST', path(id, '/turn'), { text }, `turn-${this.count}-of-all`);
    this.running -= 1;
    if (reply.status !== 200) {
      this.surprises.push(reply.text);
      return 'Ended';
    }
    this.told.push({ id, text, answer: reply.body });
    return reply.body.session.flow_state;
  }
}

describeScaled('two session-apis, with kills at random moments', (servers) => {
  jest.setTimeout(120_000 + KILLS * PER_KILL_MS);
  let set: ScaledSet;
  beforeAll(async () => {
    set = await ScaledSet.start(servers());
  });
  afterAll(() => set.stop());

  it(`lose no acknowledged turn and double none in ${KILLS} kills, and debrief every talk once`, async () => {
    const random = seededRandom(SEED);
    const { redis, postgres } = servers();
    const players = new Players(set, random);
    const playing = Promise.all(Array.from({ length: PLAYERS }, () => players.play()));
    const done: Record<string, number> = {};
    const blows: readonly (readonly [string, number, () => Promise<void>])[] = [
      ['killed', 0.45, () => strike(random() < 0.5 ? 0 : 1, 'SIGKILL')],
      ['stopped', 0.55, () => strike(random() < 0.5 ? 0 : 1, 'SIGTERM')],
      ['frozen', 0.7, () => freeze(random() < 0.5 ? 0 : 1)],
      ['Redis killed', 0.85, () => redis.kill().then(() => redis.start())],
      ['PostgreSQL killed', 1, () => postgres.kill().then(() => postgres.start())],
    ];
    const strike = async (at: number, signal: NodeJS.Signals): Promise<void> => {
      await set.kill(at, signal);
      await set.restart(at);
    };
    const freeze = async (at: number): Promise<void> => {
      set.process(at).kill('SIGSTOP');
      await sleep(FROZEN_MS);
      set.process(at).kill('SIGCONT');
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      await waitUntil('turns to run', () => players.running > 0);
      await sleep(random() * LONGEST_PAUSE_MS);
      const drawn = random();
      const [name, , blow] = blows[kill] ?? blows.find(([, up]) => drawn < up) ?? [];
      await blow?.();
      done[name ?? ''] = (done[name ?? ''] ?? 0) + 1;
    }
    players.stop();
    await playing;
    process.stderr.write(
      `${JSON.stringify(done)}: ${players.sessions.length} talks, ${players.told.length} turns, ${players.repeats} repeats\n`,
    );
    expect(players.surprises).toEqual([]);
    expect(players.told.length).toBeGreaterThan(KILLS);
    expect(players.repeats).toBeGreaterThan(0);

    for (const id of players.sessions) await set.ask('POST', path(id, '/debrief'));
    const wrong: string[] = [];
    for (const id of players.sessions) {
      const stored = await set.ask<SessionExport>('GET', path(id, '/export?format=json'));
      wrong.push(...inconsistencies(stored));
      if (stored.session.flow_state !== 'DebriefReady') wrong.push(`${id}: ${stored.session.flow_state}`);
      const mine = players.told.filter((one) => one.id === id);
      const said = stored.turns.filter(({ role }) => role === 'player').map(({ text }) => text);
      if (JSON.stringify(said) !== JSON.stringify(mine.map(({ text }) => text)))
        wrong.push(`${id}: ${said.length} turns stored, ${mine.length} acknowledged`);
      for (const { answer } of mine)
        if (stored.turns[answer.npc_turn.index - 1]?.text !== answer.npc_turn.text) wrong.push(`${id}: another answer`);
    }
    expect(wrong).toEqual([]);
    const database = new URL(set.databaseUrl).pathname.slice(1);
    const jobs = await postgres.ask("select count(*)::int as n from jobs where state <> 'done'", database);
    const debriefs = await postgres.ask('select count(*)::int as n from debriefs', database);
    expect([jobs, debriefs]).toEqual([[{ n: 0 }], [{ n: players.sessions.length }]]);
  });
});
