import { ROUTES, ServiceError, type Debrief } from '@parley/shared/contracts';
import { silentLogger, startHttpService, type Handlers, type HttpService } from '@parley/shared/service';
import { testBaseConfig } from '@parley/shared/testing';
import { StandInChoice } from './stand-in-choice';
import { compare } from './stand-in-comparison';
import { StandInDebriefs } from './stand-in-debriefs';
import { StandInHome } from './stand-in-home';
import { StandInModels } from './stand-in-models';
import { StandInPacks } from './stand-in-packs';
import { StandInPractice } from './stand-in-practice';
import { newSession, playedSession, retriedSession, type StandInSession } from './stand-in-sessions';
import { StandInSockets } from './stand-in-sockets';
import { StandInTalk } from './stand-in-talk';

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
  readonly sockets = new StandInSockets((id) => this.sessions.get(id));
  private readonly findOne = (id: string): StandInSession => this.find(id);
  readonly talk = new StandInTalk(this.findOne, this.sockets);
  readonly debriefs = new StandInDebriefs(this.findOne);
  readonly practice = new StandInPractice(this.findOne, this.sockets);

  /** How many sessions a page of the list has; null: all. */
  pageOfSessions: number | null = null;

  private constructor(private service: HttpService | null) {}

  static async start(port: number, uiPort: number, dataDir: string): Promise<StandInApi> {
    const api = new StandInApi(null);
    api.service = await startHttpService({
      config: testBaseConfig('session_api', { port, ui_port: uiPort, data_dir: dataDir }),
      logger: silentLogger(),
      routes: ROUTES,
      handlers: api.handlers(),
      forward: (route, request) =>
        (route.service === 'runtime_gateway' ? api.models : api.pack).forward(route, request),
      onUpgrade: (request, socket, head) => api.sockets.upgrade(request, socket, head),
    });
    return api;
  }

  async stop(): Promise<void> {
    this.goOn();
    this.talk.stop();
    this.sockets.stop();
    await this.service?.close(200);
  }

  /** Lets a stream that was held go on. */
  goOn(): void {
    this.talk.goOn();
    this.practice.goOn();
  }

  /** Uses up a number without sending anything: the next message shows a gap. */
  skipSeq(sessionId: string): void {
    this.find(sessionId).seq += 1;
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

  private handlers(): Handlers {
    return {
      ...this.home.handlers(),
      ...this.choice.handlers(),
      ...this.talk.handlers(),
      ...this.debriefs.handlers(),
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
      listSessions: ({ query }) => {
        const found = [...this.sessions.values()]
          .filter((one) => query.q === undefined || one.turns.some((turn) => turn.text?.includes(query.q as string)))
          .toReversed()
          .map((one) => ({
            ...one.session,
            scenario_title: this.pack.detail.title,
            overall_score: one.debrief?.overall_score ?? null,
            ...(query.q === undefined ? {} : { snippet: `… ${query.q} …` }),
          }));
        const from = Number(query.cursor ?? 0);
        const to = from + (this.pageOfSessions ?? found.length);
        return {
          body: { sessions: found.slice(from, to), next_cursor: to < found.length ? String(to) : null },
        };
      },
      getSession: ({ params }) => ({ body: this.find(params.id).session }),
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
        this.sockets.closeOf(params.id);
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
