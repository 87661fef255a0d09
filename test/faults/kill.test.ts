import { setTimeout as sleep } from 'node:timers/promises';
import type { Debrief, ServiceName, Session, TurnAnswer } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { inconsistencies, seededRandom, startParleySet, storedRows, type ParleySet, type Reply } from '../set';

const SEED = 20_261_120;
const KILLS = 100;
/** Plays that go on at the same time, so that every kill interrupts several. */
const PLAYERS = 8;
const VICTIMS: readonly ServiceName[] = ['session_api', 'debrief_worker', 'runtime_gateway'];
const DEBRIEFS_AT_ONCE = 4;

interface AcknowledgedTurn {
  readonly sessionId: string;
  readonly text: string;
  readonly answer: TurnAnswer;
}

/** Plays sessions without end against a set whose processes die, by the rules that docs/contract.md gives to clients. */
class Players {
  readonly acknowledged: AcknowledgedTurn[] = [];
  /** Texts that were sent and perhaps never acknowledged. */
  readonly sent = new Map<string, string>();
  readonly sessions = new Set<string>();
  readonly debriefs = new Map<string, Debrief>();
  readonly surprises: string[] = [];
  turnsRunning = 0;
  debriefsRunning = 0;
  interrupted = 0;
  private stopping = false;
  private count = 0;
  private readonly pendingDebriefs = new Set<Promise<void>>();

  constructor(
    private readonly set: ParleySet,
    private readonly random: () => number,
  ) {}

  /** One request, again and again until a process that is alive answers it. */
  private async insist<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    for (;;) {
      const reply = await this.set.call<T>(method, path, body, { headers }).catch(() => null);
      if (reply !== null && reply.status < 500) return reply;
      if (reply !== null && ![503, 504].includes(reply.status)) this.surprises.push(`${method} ${path}: ${reply.text}`);
      if (path.endsWith('/turn')) this.interrupted += 1;
      await sleep(15);
    }
  }

  async run(): Promise<void> {
    while (!this.stopping) await this.playOne();
    await Promise.all(this.pendingDebriefs);
  }

  stop(): void {
    this.stopping = true;
  }

  private async playOne(): Promise<void> {
    const scenario_id = this.random() < 0.5 ? 'the_ask' : 'kitchen_rota';
    const created = await this.insist<Session>('POST', '/api/sessions', { scenario_id });
    const { id } = created.body;
    this.sessions.add(id);
    // A start whose answer was lost has happened: the repeat is refused, and that is fine.
    await this.insist('POST', `/api/sessions/${id}/start`);
    let state: string = 'PlayerTurnListening';
    while (state === 'PlayerTurnListening' && !this.stopping) {
      this.turnsRunning += 1;
      const withKey = this.random() < 0.5;
      state = await (withKey ? this.turnWithKey(id) : this.turnWithoutKey(id)).finally(() => (this.turnsRunning -= 1));
      if (state === 'PlayerTurnListening' && this.random() < 0.15)
        state = (await this.insist('POST', `/api/sessions/${id}/end`)).status < 300 ? 'Ended' : state;
    }
    if (state === 'PlayerTurnListening') await this.insist('POST', `/api/sessions/${id}/end`);
    while (this.debriefsRunning >= DEBRIEFS_AT_ONCE) await sleep(15);
    this.debriefsRunning += 1;
    const waiting = this.debrief(id).finally(() => {
      this.debriefsRunning -= 1;
      this.pendingDebriefs.delete(waiting);
    });
    this.pendingDebriefs.add(waiting);
  }

  private text(id: string): string {
    this.count += 1;
    const text = `What would help you with point number${this.count}mark, and could we agree on a day?`;
    this.sent.set(text, id);
    return text;
  }

  /** With a key the request is simply repeated until it is answered. */
  private async turnWithKey(id: string): Promise<string> {
    const text = this.text(id);
    const headers = { 'idempotency-key': `key-${this.count}-of-a-turn` };
    const reply = await this.insist<TurnAnswer & { code?: string }>(
      'POST',
      `/api/sessions/${id}/turn`,
      { text },
      headers,
    );
    if (reply.status !== 200) return this.refused(id, reply.body.code);
    this.acknowledged.push({ sessionId: id, text, answer: reply.body });
    return reply.body.session.flow_state;
  }

  /**
   * Without one the client looks whether the turn was recorded, as docs/contract.md advises (When the runtime fails),
   * and does not repeat it.
   */
  private async turnWithoutKey(id: string): Promise<string> {
    const text = this.text(id);
    const reply = await this.set.call<TurnAnswer>('POST', `/api/sessions/${id}/turn`, { text }).catch(() => null);
    if (reply?.status === 200) {
      this.acknowledged.push({ sessionId: id, text, answer: reply.body });
      return reply.body.session.flow_state;
    }
    this.interrupted += 1;
    return (await this.insist<Session>('GET', `/api/sessions/${id}`)).body.flow_state;
  }

  private async refused(id: string, code: string | undefined): Promise<string> {
    if (code !== 'TURN_IN_PROGRESS' && code !== 'INVALID_STATE' && code !== 'TURN_ABORTED')
      this.surprises.push(String(code));
    return (await this.insist<Session>('GET', `/api/sessions/${id}`)).body.flow_state;
  }

  private async debrief(id: string): Promise<void> {
    for (;;) {
      const reply = await this.insist<Debrief>('POST', `/api/sessions/${id}/debrief`);
      if (reply.status === 200) {
        this.debriefs.set(id, reply.body);
        return;
      }
      if (reply.status !== 202) {
        this.surprises.push(`debrief of ${id}: ${reply.text}`);
        return;
      }
    }
  }
}

describe('kill -9 at random moments', () => {
  let set: ParleySet;
  let players: Players;
  const killed: Record<string, number> = {};

  beforeAll(async () => {
    const random = seededRandom(SEED);
    set = await startParleySet({ environment: { SIM_FAKE_WORD_DELAY_MS: '2', SIM_LOG_LEVEL: 'warn' } });
    players = new Players(set, random);
    const playing = Promise.all(Array.from({ length: PLAYERS }, () => players.run()));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'session_api';
      const isBusy = (): boolean =>
        victim === 'debrief_worker' ? players.debriefsRunning > 0 : players.turnsRunning > PLAYERS / 2;
      await waitUntil(`work for ${victim} to interrupt`, isBusy, { timeoutMs: 60_000, intervalMs: 5 });
      await sleep(random() * 120);
      await set.kill(victim, 'SIGKILL');
      await set.startProcess(victim);
      killed[victim] = (killed[victim] ?? 0) + 1;
    }
    players.stop();
    await playing;
  }, 600_000);
  afterAll(() => set.stop());

  it('hit each of the three processes, in the middle of many turns', () => {
    expect(Object.values(killed).reduce((sum, one) => sum + one, 0)).toBe(KILLS);
    for (const victim of VICTIMS) expect(killed[victim]).toBeGreaterThan(20);
    expect(players.interrupted).toBeGreaterThan(50);
    expect(players.acknowledged.length).toBeGreaterThan(100);
    expect(players.surprises).toEqual([]);
  });

  it('every acknowledged turn is there exactly once, as it was answered', async () => {
    const wrong: string[] = [];
    const transcripts = new Map(
      await Promise.all(
        [...players.sessions].map(
          async (id) => [id, (await set.ask('getTranscript', { params: { id } })).turns] as const,
        ),
      ),
    );
    for (const { sessionId, text, answer } of players.acknowledged) {
      const turns = transcripts.get(sessionId) ?? [];
      const places = turns.filter((turn) => turn.text === text).map((turn) => turn.index);
      const npc = turns[answer.npc_turn.index - 1];
      if (JSON.stringify(places) !== JSON.stringify([answer.player_turn.index]))
        wrong.push(`${text} at ${places.join()}`);
      if (JSON.stringify(npc) !== JSON.stringify(answer.npc_turn)) wrong.push(`${text}: another answer is stored`);
    }
    for (const [text, id] of players.sent)
      if ((transcripts.get(id) ?? []).filter((turn) => turn.text === text).length > 1)
        wrong.push(`${text} is there twice`);
    expect(wrong).toEqual([]);
  });

  it('no turn is half stored: turns, events, variables, endings and the search agree in every session', async () => {
    const exports = await Promise.all([...players.sessions].map((id) => set.ask('exportSession', { params: { id } })));
    expect(exports.flatMap(inconsistencies)).toEqual([]);
    const { sessions } = await set.ask('listSessions', { query: { limit: 100 } });
    expect(sessions.length).toBe(Math.min(100, players.sessions.size));
    for (const stored of exports.slice(0, 40)) {
      const word = /number\d+mark/.exec(stored.turns.at(-2)?.text ?? '')?.[0];
      if (word === undefined) continue;
      const found = await set.ask('listSessions', { query: { q: word } });
      expect([word, found.sessions.map((one) => one.id)]).toEqual([word, [stored.session.id]]);
    }
  });

  it('every debrief arrived exactly once and is the one that was answered', async () => {
    expect(players.debriefs.size).toBe(players.sessions.size);
    const rows = await storedRows(set);
    expect(rows['debriefs']).toHaveLength(players.sessions.size);
    expect(new Set((rows['debriefs'] as { session_id: string }[]).map((row) => row.session_id))).toEqual(
      players.sessions,
    );
    expect((rows['jobs'] as { state: string }[]).filter((job) => job.state !== 'done')).toEqual([]);
    for (const [id, debrief] of players.debriefs)
      expect(await set.ask('getDebrief', { params: { id } })).toEqual(debrief);
  });
});
