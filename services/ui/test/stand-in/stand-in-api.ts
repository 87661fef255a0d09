import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { ServiceError, type Debrief, type EmittedMessage, type ErrorCode } from '@parley/shared/contracts';
import { silentLogger, startHttpService, type Answer, type Handlers, type HttpService } from '@parley/shared/service';
import { testBaseConfig } from '@parley/shared/testing';
import { answerAgain, chooseAnswer, otherAnswer } from './stand-in-answers';
import { compare } from './stand-in-comparison';
import { StandInChoice } from './stand-in-choice';
import { StandInHome } from './stand-in-home';
import { StandInModels } from './stand-in-models';
import { StandInPacks } from './stand-in-packs';
import { StandInPractice } from './stand-in-practice';
import {
  commit,
  newSession,
  open,
  playedSession,
  replyFor,
  requireState,
  retriedSession,
  stateMessage,
  writeDebrief,
  type StandInSession,
} from './stand-in-sessions';

/**
 * session-api as the page sees it: the routes of the one route table, requests and answers checked against the contracts,
 * with a talk that is scripted instead of played. Tests turn its knobs.
 */
export class StandInApi {
  readonly sessions = new Map<string, StandInSession>();
  readonly pack = new StandInPacks();
  readonly home = new StandInHome();
  readonly choice = new StandInChoice((runtime) => {
    this.home.runtime = { ...this.home.runtime, ...runtime };
  });
  readonly models = new StandInModels(this.choice);
  readonly practice = new StandInPractice(
    (id) => this.find(id),
    (one, message) => this.send(one, message),
  );
  /** Sessions whose player was said to type, in order. */
  readonly typing: string[] = [];
  /** Pause after each streamed word, in milliseconds. */
  wordPauseMs = 5;
  /** Words after which the stream stands still until `goOn` is called. */
  holdAfterWords: number | null = null;
  /** Code that the next turn fails with, before anything is streamed. */
  failNextTurn: ErrorCode | null = null;
  /** Whether a debrief that is there stays as a test has made it. */
  debriefIsKept = false;
  /** Every Idempotency-Key that came, in order. */
  readonly keys: (string | undefined)[] = [];
  private readonly running = new Map<
    string,
    { key: string | undefined; abort: AbortController; answer: Promise<Answer> }
  >();
  private readonly sockets = new Map<string, Set<WebSocket>>();
  private readonly socketServer = new WebSocketServer({ noServer: true });
  private resume: () => void = () => undefined;

  private constructor(private service: HttpService | null) {}

  static async start(port: number, uiPort: number, dataDir: string): Promise<StandInApi> {
    const api = new StandInApi(null);
    api.service = await startHttpService({
      config: testBaseConfig('session_api', { port, ui_port: uiPort, data_dir: dataDir }),
      logger: silentLogger(),
      handlers: api.handlers(),
      forward: (route, request) =>
        (route.service === 'runtime_gateway' ? api.models : api.pack).forward(route, request),
      onUpgrade: (request, socket, head) =>
        api.socketServer.handleUpgrade(request, socket, head, (client) => api.join(request.url ?? '', client)),
    });
    return api;
  }

  async stop(): Promise<void> {
    this.goOn();
    for (const { abort } of this.running.values()) abort.abort();
    this.dropSockets();
    this.socketServer.close();
    await this.service?.close(200);
  }

  isRunning(sessionId: string): boolean {
    return this.running.has(sessionId);
  }

  /** Lets a stream that was held go on. */
  goOn(): void {
    this.holdAfterWords = null;
    this.resume();
    this.practice.goOn();
  }

  /** Cuts every socket, as a network does. */
  dropSockets(): void {
    for (const clients of this.sockets.values()) for (const client of clients) client.terminate();
  }

  /** Uses up a number without sending anything: the next message shows a gap. */
  skipSeq(sessionId: string): void {
    this.find(sessionId).seq += 1;
  }

  send(one: StandInSession, ...messages: EmittedMessage[]): void {
    for (const message of messages) {
      one.seq += 1;
      const line = JSON.stringify({
        seq: one.seq,
        session_id: one.session.id,
        ts: new Date().toISOString(),
        ...message,
      });
      for (const client of this.sockets.get(one.session.id) ?? []) client.send(line);
    }
  }

  find(id: string): StandInSession {
    const one = this.sessions.get(id);
    if (one === undefined) throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session.');
    return one;
  }

  /** A session in which so many turns were played already. */
  played(turns: number): StandInSession {
    return this.added(playedSession(turns));
  }

  /** A played session with its debrief, which was read already. */
  debriefed(turns: number, write: (one: StandInSession) => Debrief): StandInSession {
    const one = playedSession(turns);
    one.debrief = write(one);
    const ended = one.session.ending_type ?? 'player_exit';
    one.session = { ...one.session, flow_state: 'DebriefReady', ending_type: ended };
    return this.added(one);
  }

  /** A retry of a session from the given turn of its character, played to its end and debriefed. */
  retried(from: StandInSession, turn: number): StandInSession {
    return this.added(retriedSession(from, turn));
  }

  private added(one: StandInSession): StandInSession {
    this.sessions.set(one.session.id, one);
    return one;
  }

  private join(url: string, client: WebSocket): void {
    const id = decodeURIComponent(/^\/ws\/session\/([^/?]+)/.exec(url)?.[1] ?? '');
    const one = this.sessions.get(id);
    if (one === undefined) {
      client.close(4404);
      return;
    }
    const clients = this.sockets.get(id) ?? new Set();
    this.sockets.set(id, clients.add(client));
    client.on('close', () => clients.delete(client));
    this.send(one, stateMessage(one));
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
    if (this.failNextTurn !== null) {
      const code = this.failNextTurn;
      this.failNextTurn = null;
      throw new ServiceError(code, 'The model runtime cannot be reached. Start it, then send the turn again.');
    }
    const abort = new AbortController();
    const answer = this.play(one, text, key, abort.signal).finally(() => this.running.delete(id));
    this.running.set(id, { key, abort, answer });
    return answer;
  }

  private async play(one: StandInSession, text: string, key: string | undefined, signal: AbortSignal): Promise<Answer> {
    const reply = replyFor(one);
    await this.stream(one, reply.text, signal);
    const answer = commit(one, text.trim(), reply);
    if (key !== undefined) one.answered.set(key, { text, answer });
    this.send(one, ...answer.events);
    return { body: answer };
  }

  private async regenerate(id: string, key: string | undefined): Promise<Answer> {
    const one = this.find(id);
    this.keys.push(key);
    requireState(one, 'regenerate', 'PlayerTurnListening', 'Ended');
    if (this.failNextTurn !== null) {
      const code = this.failNextTurn;
      this.failNextTurn = null;
      throw new ServiceError(code, 'The model runtime cannot be reached. Start it, then ask again.');
    }
    const { text } = otherAnswer(one);
    await this.stream(one, text ?? '', new AbortController().signal);
    const answer = answerAgain(one);
    this.send(one, ...answer.events);
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
      await wait(this.wordPauseMs);
      if (signal.aborted) throw aborted();
      this.send(one, { type: 'npc.token', payload: { text: word } });
    }
  }

  private handlers(): Handlers {
    return {
      ...this.home.handlers(),
      ...this.choice.handlers(),
      ...this.practice.handlers(),
      listModels: () => ({
        body: {
          runtime_id: this.home.runtime.runtime_id,
          active_model_id: this.home.runtime.model_id,
          models: this.models.listed,
        },
      }),
      createSession: ({ body }) => {
        const one = newSession({
          scenario_id: body.scenario_id,
          difficulty: body.difficulty ?? 'standard',
          focus_dimension: body.focus_dimension ?? null,
          coaching: body.coaching ?? false,
          transcript_saved: this.home.settings.save_transcripts,
        });
        return { body: this.added(one).session };
      },
      listSessions: ({ query }) => ({
        body: {
          sessions: [...this.sessions.values()]
            .filter((one) => query.q === undefined || one.turns.some((turn) => turn.text?.includes(query.q as string)))
            .toReversed()
            .map((one) => ({
              ...one.session,
              scenario_title: this.pack.detail.title,
              overall_score: one.debrief?.overall_score ?? null,
              ...(query.q === undefined ? {} : { snippet: `… ${query.q} …` }),
            })),
          next_cursor: null,
        },
      }),
      getSession: ({ params }) => ({ body: this.find(params.id).session }),
      startSession: ({ params }) => {
        const one = this.find(params.id);
        requireState(one, 'start', 'NotStarted');
        const { turn, events } = open(one);
        this.send(one, ...events);
        return { body: { session: one.session, turn, events } };
      },
      takeTurn: ({ params, body, headers }) => this.takeTurn(params.id, body.text, headers['idempotency-key']),
      regenerate: ({ params, headers }) => this.regenerate(params.id, headers['idempotency-key']),
      chooseVariant: ({ params, body }) => {
        const one = this.find(params.id);
        const answer = chooseAnswer(one, body.variant);
        this.send(one, ...answer.events);
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
        this.send(one, stateMessage(one));
        return { body: { session: one.session, events: [stateMessage(one)] } };
      },
      createDebrief: async ({ params }) => {
        const one = this.find(params.id);
        requireState(one, 'debrief', 'Ended', 'DebriefGenerating', 'DebriefReady');
        await wait(this.wordPauseMs);
        if (one.debrief === null || !this.debriefIsKept) one.debrief = writeDebrief(one);
        one.session = { ...one.session, flow_state: 'DebriefReady' };
        return { status: 200, body: one.debrief };
      },
      getDebrief: ({ params }) => {
        const { debrief } = this.find(params.id);
        if (debrief === null) throw new ServiceError('DEBRIEF_NOT_FOUND', 'There is no debrief yet.');
        return { status: 200, body: debrief };
      },
      rateSelf: ({ params, body }) => {
        const one = this.find(params.id);
        one.selfRatings = body.ratings;
        return { body: { session_id: params.id, ratings: body.ratings } };
      },
      getTranscript: ({ params }) => {
        const { session, turns } = this.find(params.id);
        return { body: { session_id: params.id, transcript_saved: session.transcript_saved, turns } };
      },
      compareSession: ({ params }) => ({ body: compare(this.find(params.id), this.sessions) }),
      listEvents: ({ params }) => ({ body: { events: this.find(params.id).events, next_cursor: null } }),
      forkSession: ({ params, body }) => {
        const from = this.find(params.id);
        const one = newSession({
          flow_state: 'PlayerTurnListening',
          attempt: 'retry',
          forked_from: { session_id: params.id, turn: body.turn },
          turn_count: body.turn,
          player_turn_count: (body.turn - 1) / 2,
          started_at: new Date().toISOString(),
        });
        one.turns = from.turns.filter((turn) => turn.index <= body.turn);
        return { body: this.added(one).session };
      },
      deleteSession: ({ params }) => {
        this.find(params.id);
        this.sessions.delete(params.id);
        for (const client of this.sockets.get(params.id) ?? []) client.close(4404);
        return {};
      },
      clearPrivacy: () => {
        const deleted = { sessions: this.sessions.size, turns: 0, events: 0, debriefs: 0, recaps: 0 };
        this.sessions.clear();
        return { body: { deleted } };
      },
    };
  }
}
