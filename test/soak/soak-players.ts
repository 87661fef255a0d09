import { setTimeout as sleep } from 'node:timers/promises';
import type { Debrief, Session, SessionExport, TurnAnswer } from '@parley/shared/contracts';
import { inconsistencies } from '../set/consistency';
import type { ParleySet } from '../set/parley-set';
import { LONG_TALK } from '../set/sample-pack';
import type { Reply } from '../set/set-client';

/** Longer than anything may take, also while peers are frozen: a call without an answer by then hangs. */
const HANGS_AFTER_MS = 240_000;
const CHECKED_AT_ONCE = 8;

interface AcknowledgedTurn {
  readonly text: string;
  readonly index: number;
  readonly answer: string | null;
}

/** Plays sessions one after the other, and keeps what it was told is stored. */
export class SoakPlayers {
  readonly acknowledged = new Map<string, AcknowledgedTurn[]>();
  readonly deleted = new Set<string>();
  /** What must never happen. */
  readonly surprises: string[] = [];
  turns = 0;
  debriefs = 0;
  /** Calls that were answered 503 or 504, or lost their connection, and were repeated. */
  repeats = 0;
  private count = 0;
  private stopping = false;

  constructor(
    private readonly set: ParleySet,
    private readonly random: () => number,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  async run(): Promise<void> {
    while (!this.stopping) await this.playOne();
  }

  private async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        this.surprises.push(`${method} ${path} gave no answer in ${HANGS_AFTER_MS / 1_000} s`);
        resolve(null);
      }, HANGS_AFTER_MS);
    });
    const reply = this.set.call<T>(method, path, body, { headers }).catch(() => null);
    return Promise.race([reply, late]).finally(() => clearTimeout(timer));
  }

  /** One call, again and again until it is answered; null when the soak ends before. */
  private async insist<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T> | null> {
    for (;;) {
      const reply = await this.call<T>(method, path, body, headers);
      if (reply !== null && reply.status < 500) return reply;
      if (reply !== null && ![503, 504].includes(reply.status)) this.surprises.push(`${method} ${path}: ${reply.text}`);
      if (this.stopping) return null;
      this.repeats += 1;
      await sleep(50 + this.random() * 100);
    }
  }

  private async playOne(): Promise<void> {
    const scenario_id = this.random() < 0.7 ? LONG_TALK : 'the_ask';
    const created = await this.insist<Session>('POST', '/api/sessions', { scenario_id });
    if (created === null) return;
    const { id } = created.body;
    this.acknowledged.set(id, []);
    // A start whose answer was lost has happened: the repeat is refused, and that is fine.
    if ((await this.insist('POST', `/api/sessions/${id}/start`)) === null) return;
    const turns = 5 + Math.floor(this.random() * 20);
    for (let turn = 0; turn < turns && !this.stopping; turn += 1) {
      if (!(await this.takeTurn(id))) break;
      await sleep(10 + this.random() * 50);
    }
    await this.insist('POST', `/api/sessions/${id}/end`);
    const fate = this.random();
    if (fate < 0.25) await this.debrief(id);
    else if (fate < 0.35) await this.delete(id);
  }

  /** @returns whether the play goes on. */
  private async takeTurn(id: string): Promise<boolean> {
    this.count += 1;
    const text = `What would help you with point number${this.count}mark, and could we agree on a day?`;
    const path = `/api/sessions/${id}/turn`;
    // With a key the repeat of a turn whose answer was lost is answered with what was stored.
    const reply = await this.insist<TurnAnswer>(
      'POST',
      path,
      { text },
      { 'idempotency-key': `soak-${this.count}-key` },
    );
    if (reply === null) return false;
    if (reply.status !== 200) {
      this.surprises.push(`a turn was answered with ${reply.status} ${reply.text}`);
      return false;
    }
    const { player_turn, npc_turn, session } = reply.body;
    this.acknowledged.get(id)?.push({ text, index: player_turn.index, answer: npc_turn.text });
    this.turns += 1;
    return session.flow_state === 'PlayerTurnListening';
  }

  private async debrief(id: string): Promise<void> {
    const reply = await this.insist<Debrief>('POST', `/api/sessions/${id}/debrief`);
    if (reply === null) return;
    if (reply.status === 200) this.debriefs += 1;
    else this.surprises.push(`the debrief of ${id} was answered with ${reply.status} ${reply.text}`);
  }

  private async delete(id: string): Promise<void> {
    const reply = await this.insist('DELETE', `/api/sessions/${id}`);
    // A deletion whose answer was lost has happened.
    if (reply === null || ![204, 404].includes(reply.status)) return;
    this.deleted.add(id);
    this.acknowledged.delete(id);
  }

  /** Reads every session and says what is not as it was acknowledged. @returns how many turns were found. */
  async check(): Promise<{ found: number; wrong: string[] }> {
    const wrong: string[] = [];
    let found = 0;
    const sessions = [...this.acknowledged];
    const checkNext = async (): Promise<void> => {
      for (let next = sessions.pop(); next !== undefined; next = sessions.pop()) {
        const [id, turns] = next;
        const stored = await this.set.call<SessionExport>('GET', `/api/sessions/${id}/export`);
        if (stored.status !== 200) {
          wrong.push(`${id}: ${stored.status} ${stored.text}`);
          continue;
        }
        wrong.push(...inconsistencies(stored.body));
        for (const { text, index, answer } of turns) {
          const places = stored.body.turns.filter((turn) => turn.text === text).map((turn) => turn.index);
          if (places.join() !== String(index))
            wrong.push(`${id}: “${text}” is at ${places.join()} and not at ${index}`);
          else if (stored.body.turns[index]?.text !== answer) wrong.push(`${id}: another answer to ${index} is stored`);
          else found += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkNext));
    for (const id of this.deleted) {
      const { status } = await this.set.call('GET', `/api/sessions/${id}`);
      if (status !== 404) wrong.push(`${id} was deleted and is answered with ${status}`);
    }
    return { found, wrong };
  }
}
