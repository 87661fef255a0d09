import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError, type Drill, type LineCheck } from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import { requireState, type StandInSession } from './stand-in-sessions';
import type { StandInSockets } from './stand-in-sockets';

const TRIES = 3;
const ANSWER = 'Three percent, that’s mine. For the rest somebody upstairs has to believe a page.';

/** What a line can do, by the words that do it. */
const CHECKS = [
  { id: 'open_question', text: 'Asks an open question about her limits', words: 'what can you decide' },
  { id: 'says_back', text: 'Says the limit back before going on', words: 'three percent' },
];

function judge(text: string): LineCheck[] {
  return CHECKS.map(({ id, text: asks, words }) => {
    const start = text.toLowerCase().indexOf(words);
    return {
      id,
      text: asks,
      verdict: start < 0 ? 'missed' : 'met',
      evidence: start < 0 ? null : { start, end: start + words.length },
    };
  });
}

/** Practice on single lines, as session-api answers it: two checks, three tries, and an answer that streams. */
export class StandInPractice {
  /** Tries by session. */
  readonly drills = new Map<string, Drill[]>();
  /** What was asked of it, in order. */
  readonly asked: { readonly text: string; readonly reply: boolean }[] = [];
  /** Words after which the answer stands still until `goOn`; null for none. */
  holdAfterWords: number | null = null;
  failNextReply = false;
  private resume: () => void = () => undefined;

  constructor(
    private readonly find: (id: string) => StandInSession,
    private readonly sockets: StandInSockets,
  ) {}

  goOn(): void {
    this.holdAfterWords = null;
    this.resume();
  }

  handlers(): Handlers {
    return {
      tryMoment: async ({ params, body }) => {
        const one = this.find(params.id);
        requireState(one, 'try', 'Ended', 'DebriefReady');
        const reply = body.reply ?? false;
        this.asked.push({ text: body.text, reply });
        const all = this.drills.get(params.id) ?? [];
        this.drills.set(params.id, all);
        const before = all.filter(({ turn }) => turn === params.turn);
        const isAgain = reply && before.at(-1)?.text === body.text;
        if (before.length >= TRIES && !isAgain)
          throw new ServiceError('INVALID_STATE', 'This line was tried 3 times.', {
            details: { flow_state: one.session.flow_state, operation: 'try', allowed_in: [] },
          });
        const checks = judge(body.text);
        if (reply) await this.answer(one);
        if (!isAgain)
          all.push({
            turn: params.turn,
            try: before.length + 1,
            text: body.text,
            checks,
            created_at: new Date().toISOString(),
          });
        return {
          body: {
            line: params.turn / 2,
            checks,
            moves: [],
            next: checks.find(({ verdict }) => verdict === 'missed')?.text ?? 'Nothing is missing from this line.',
            tries_left: TRIES - before.length - (isAgain ? 0 : 1),
            npc_text: reply ? ANSWER : null,
            npc_emotion: reply ? 'thoughtful' : null,
          },
        };
      },
      coachLine: ({ body }) => {
        const checks = judge(body.text);
        const done = checks.filter(({ verdict }) => verdict === 'met');
        return {
          body: {
            met: done.map(({ id, text, evidence }) => ({ check: id, text, evidence })),
            nudges: checks.filter(({ verdict }) => verdict === 'missed').map(({ id, text }) => ({ check: id, text })),
          },
        };
      },
      exportSession: ({ params }) => {
        const { session, turns, events, debrief } = this.find(params.id);
        return {
          body: {
            schema_version: 1,
            exported_at: new Date().toISOString(),
            session: { ...session, scenario_title: 'The ask' },
            turns,
            variants: [],
            events,
            debrief,
            drills: this.drills.get(params.id) ?? [],
          },
        };
      },
    };
  }

  private async answer(one: StandInSession): Promise<void> {
    if (this.failNextReply) {
      this.failNextReply = false;
      throw new ServiceError('RUNTIME_UNAVAILABLE', 'The model runtime cannot be reached.');
    }
    for (const [at, text] of (ANSWER.match(/\S+\s*/g) ?? []).entries()) {
      if (this.holdAfterWords === at)
        await new Promise<void>((resolve) => {
          this.resume = resolve;
        });
      await wait(1);
      this.sockets.send(one, { type: 'npc.token', payload: { text } });
    }
  }
}
