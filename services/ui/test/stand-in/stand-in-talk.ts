import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError, type ErrorCode } from '@parley/shared/contracts';
import type { Answer, Handlers } from '@parley/shared/service';
import { answerAgain, chooseAnswer, otherAnswer } from './stand-in-answers';
import { commit, open, replyFor, requireState, stateMessage, type StandInSession } from './stand-in-sessions';
import type { StandInSockets } from './stand-in-sockets';

/** Pause after each streamed word. */
const WORD_PAUSE_MS = 5;

interface RunningTurn {
  readonly key: string | undefined;
  readonly abort: AbortController;
  readonly answer: Promise<Answer>;
}

/** The talk itself, from its start to its end: turns whose words stream, other answers, and what stops them. */
export class StandInTalk {
  /** Sessions whose player was said to type, in order. */
  readonly typing: string[] = [];
  /** Words after which the stream stands still until `goOn` is called. */
  holdAfterWords: number | null = null;
  /** Code that the next turn fails with, before anything is streamed. */
  failNextTurn: ErrorCode | null = null;
  /** Every Idempotency-Key that came, in order. */
  readonly keys: (string | undefined)[] = [];
  private readonly running = new Map<string, RunningTurn>();
  private resume: () => void = () => undefined;

  constructor(
    private readonly find: (id: string) => StandInSession,
    private readonly sockets: StandInSockets,
  ) {}

  isRunning(sessionId: string): boolean {
    return this.running.has(sessionId);
  }

  goOn(): void {
    this.holdAfterWords = null;
    this.resume();
  }

  stop(): void {
    for (const { abort } of this.running.values()) abort.abort();
  }

  handlers(): Handlers {
    return {
      startSession: ({ params }) => {
        const one = this.find(params.id);
        requireState(one, 'start', 'NotStarted');
        const { turn, events } = open(one);
        this.sockets.send(one, ...events);
        return { body: { session: one.session, turn, events } };
      },
      takeTurn: ({ params, body, headers }) => this.takeTurn(params.id, body.text, headers['idempotency-key']),
      regenerate: ({ params, headers }) => this.regenerate(params.id, headers['idempotency-key']),
      chooseVariant: ({ params, body }) => {
        const one = this.find(params.id);
        const answer = chooseAnswer(one, body.variant);
        this.sockets.send(one, ...answer.events);
        return { body: answer };
      },
      cancelTurn: ({ params }) => {
        this.running.get(params.id)?.abort.abort();
        return { body: { session: this.find(params.id).session } };
      },
      hintTyping: ({ params }) => {
        this.typing.push(params.id);
        return {};
      },
      endSession: ({ params }) => {
        const one = this.find(params.id);
        requireState(one, 'end', 'PlayerTurnListening');
        this.running.get(params.id)?.abort.abort();
        one.session = {
          ...one.session,
          flow_state: 'Ended',
          ending_type: 'player_exit',
          ended_at: new Date().toISOString(),
        };
        this.sockets.send(one, stateMessage(one));
        return { body: { session: one.session, events: [stateMessage(one)] } };
      },
    };
  }

  private async takeTurn(id: string, text: string, key: string | undefined): Promise<Answer> {
    const one = this.find(id);
    this.keys.push(key);
    const known = key === undefined ? undefined : one.answered.get(key);
    if (known !== undefined) return { body: known.answer };
    requireState(one, 'turn', 'PlayerTurnListening');
    const running = this.running.get(id);
    if (running !== undefined && running.key === key) return running.answer;
    if (running !== undefined) throw new ServiceError('TURN_IN_PROGRESS', 'A turn is running on this session.');
    this.failOnce('Start it, then send the turn again.');
    const abort = new AbortController();
    const answer = this.play(one, text, key, abort.signal).finally(() => this.running.delete(id));
    this.running.set(id, { key, abort, answer });
    return answer;
  }

  private failOnce(advice: string): void {
    const code = this.failNextTurn;
    this.failNextTurn = null;
    if (code !== null) throw new ServiceError(code, `The model runtime cannot be reached. ${advice}`);
  }

  private async play(one: StandInSession, text: string, key: string | undefined, signal: AbortSignal): Promise<Answer> {
    const reply = replyFor(one);
    await this.stream(one, reply.text, signal);
    const answer = commit(one, text.trim(), reply);
    if (key !== undefined) one.answered.set(key, { text, answer });
    this.sockets.send(one, ...answer.events);
    return { body: answer };
  }

  private async regenerate(id: string, key: string | undefined): Promise<Answer> {
    const one = this.find(id);
    this.keys.push(key);
    requireState(one, 'regenerate', 'PlayerTurnListening', 'Ended');
    this.failOnce('Start it, then ask again.');
    const { text } = otherAnswer(one);
    await this.stream(one, text ?? '', new AbortController().signal);
    const answer = answerAgain(one);
    this.sockets.send(one, ...answer.events);
    return { body: answer };
  }

  private async stream(one: StandInSession, text: string, signal: AbortSignal): Promise<void> {
    const words = text.match(/\S+\s*/g) ?? [];
    const aborted = () => new ServiceError('TURN_ABORTED', 'The turn was stopped; nothing of it was stored.');
    for (const [at, word] of words.entries()) {
      if (this.holdAfterWords === at)
        await new Promise<void>((resolve) => {
          this.resume = resolve;
          signal.addEventListener('abort', () => resolve());
        });
      await wait(WORD_PAUSE_MS);
      if (signal.aborted) throw aborted();
      this.sockets.send(one, { type: 'npc.token', payload: { text: word } });
    }
  }
}
