import { randomBytes } from 'node:crypto';
import type { TurnAnswer } from '@parley/shared/contracts';
import { KeptAnswers, type Logger, type Metrics } from '@parley/shared/service';
import {
  findKeptAnswer,
  findSession,
  firstEvents,
  insertKeptAnswer,
  listTurns,
  reserveSequence,
  type Database,
} from '@parley/shared/store';
import { storedEventMessage } from '@parley/shared/engine';
import type { SessionApiConfig } from './config';
import { DebriefWaiting } from './debrief/debrief-waiting';
import type { Presence } from './live/presence';
import { SocketHub, type Welcome } from './live/socket-hub';
import { ScenarioCache } from './sessions/scenario-cache';
import { UnsavedTexts } from './sessions/unsaved-texts';
import { RecentErrors } from './system/recent-errors';
import { RuntimeChoices } from './system/runtime-choices';
import { SetHealth } from './system/set-health';
import { SettingsCache } from './system/settings-cache';
import { StorageWatch, type StorageLimits } from './system/storage-watch';
import { Prewarming } from './turn/prewarming';
import { PromptFits } from './turn/prompt-fits';
import { PromptRoom } from './turn/prompt-room';
import { ReadySessions } from './turn/ready-sessions';
import { RunningTurns } from './turn/running-turns';
import { RuntimeModelInfo } from './turn/runtime-model-info';
import { TextDigests } from './turn/text-digests';
import { TurnMetrics } from './turn/turn-metrics';
import { TalkSummaries } from './turn/talk-summaries';
import { stateMessage, turnText } from './sessions/session-view';

const DEBRIEF_WAIT_MS = 180_000;

/** What tests replace. */
export interface ContextOverrides {
  readonly now?: () => Date;
  readonly randomBytes?: (size: number) => Buffer;
  readonly debriefWaitMs?: number;
  /** How long the first prompt waits for the list of models; milliseconds. */
  readonly modelWaitMs?: number;
  readonly storage?: Partial<StorageLimits>;
}

/** Everything that the operations of this process share. */
export interface SessionApiContext {
  readonly config: SessionApiConfig;
  readonly logger: Logger;
  readonly database: Database;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Buffer;
  readonly scenarios: ScenarioCache;
  readonly settings: SettingsCache;
  readonly summaries: TalkSummaries;
  readonly ready: ReadySessions;
  readonly unsaved: UnsavedTexts;
  /** What running sessions keep outside of the database. */
  readonly presence: Presence;
  readonly turns: RunningTurns<TurnAnswer>;
  readonly digests: TextDigests;
  /** Answers by Idempotency-Key, but for turns: theirs lie with the session. */
  readonly answers: KeptAnswers;
  readonly hub: SocketHub;
  readonly debriefs: DebriefWaiting;
  /** A caller that has waited this long for a debrief gets 202 and may ask again; milliseconds. */
  readonly debriefWaitMs: number;
  readonly health: SetHealth;
  readonly errors: RecentErrors;
  readonly storage: StorageWatch;
  readonly model: RuntimeModelInfo;
  readonly choices: RuntimeChoices;
  readonly fits: PromptFits;
  readonly room: PromptRoom;
  readonly prewarming: Prewarming;
  readonly metrics: TurnMetrics;
}

/** The members that an operation takes out of it. */
export type Needs<Member extends keyof SessionApiContext> = Pick<SessionApiContext, Member>;

async function welcome(context: SessionApiContext, sessionId: string, withReplay: boolean): Promise<Welcome | null> {
  const { database } = context;
  const session = await findSession(database, sessionId);
  if (session === null) return null;
  if (!withReplay) return { state: stateMessage(session), replay: [] };
  await context.unsaved.fetch(session);
  const events = await firstEvents(database, sessionId);
  // The ending of a player who left belongs to no turn: it says nothing about how far the replay reaches.
  const last = Math.max(1, ...events.map((event) => event.turn_index ?? 1));
  const turns = await listTurns(database, sessionId, { upTo: last });
  const texts = new Map(turns.map((turn) => [turn.turn_index, turnText(context, session, turn)]));
  const messages = events.map((event) => storedEventMessage(event, (index) => texts.get(index) ?? null));
  return { state: stateMessage(session), replay: messages.filter((message) => message !== null) };
}

/**
 * @param metrics the registry of the process.
 * @param chosenRuntime named to people while the gateway cannot be asked which runtime plays.
 */
export function createContext(
  config: SessionApiConfig,
  logger: Logger,
  database: Database,
  metrics: Metrics,
  presence: Presence,
  chosenRuntime: string,
  overrides: ContextOverrides = {},
): SessionApiContext {
  const now = overrides.now ?? (() => new Date());
  const { isAlone, words } = presence;
  const unsaved = new UnsavedTexts(words === null ? null : { texts: words, database });
  const turns = new RunningTurns<TurnAnswer>(config.max_concurrent_turns, presence.claims);
  const hub = new SocketHub({
    bus: presence.bus,
    logger: logger.child({ subsystem: 'live' }),
    now,
    welcome: (sessionId, withReplay) => welcome(context, sessionId, withReplay),
    reserveSeq: async (sessionId, count) => {
      const row = await findSession(database, sessionId);
      if (row === null) return null;
      await database.write((transaction) => reserveSequence(transaction, sessionId, row.seq_reserved + count));
      return row.seq_reserved;
    },
  });
  const storage = new StorageWatch(database, logger.child({ subsystem: 'storage' }), now, {
    ...(overrides.storage === undefined ? {} : { limits: overrides.storage }),
    shared: () => presence.fault(),
  });
  const context: SessionApiContext = {
    config,
    logger,
    database,
    now,
    randomBytes: overrides.randomBytes ?? randomBytes,
    scenarios: new ScenarioCache(config.base.peers.pack_service, config.base.peer_timeout_ms),
    settings: new SettingsCache(database, isAlone),
    summaries: new TalkSummaries(),
    ready: new ReadySessions(isAlone),
    unsaved,
    presence,
    turns,
    digests: new TextDigests(presence.digestKey),
    answers: new KeptAnswers(
      {
        find: (...key) => findKeptAnswer(database, ...key),
        keep: (answer) => database.write((transaction) => insertKeptAnswer(transaction, answer)),
      },
      now,
    ),
    hub,
    debriefs: new DebriefWaiting({
      database,
      hub,
      isFirst: (what) => presence.bus.isFirst(what),
      isUnsaved: (id) => unsaved.memoryOf(id) !== null,
      logger: logger.child({ subsystem: 'debriefs' }),
    }),
    health: new SetHealth(config, chosenRuntime, now, {
      storage: () => storage.health(),
      judged: (runtime) => {
        // A server that comes back may have been started with another context.
        if (runtime.status === 'UNAVAILABLE' || runtime.status === 'STARTING') context.model.forget();
        return context.room.judged(runtime, () => context.model.contextLength());
      },
    }),
    errors: new RecentErrors(now),
    storage,
    model: new RuntimeModelInfo(config.base.peers.runtime_gateway, {
      timeoutMs: config.base.peer_timeout_ms,
      ...(overrides.modelWaitMs === undefined ? {} : { waitMs: overrides.modelWaitMs }),
    }),
    choices: new RuntimeChoices({
      database,
      gateway: config.base.peers.runtime_gateway,
      timeoutMs: config.base.peer_timeout_ms,
      onChange: () => {
        context.health.forget();
        context.model.forget();
        presence.bus.order({ kind: 'runtime' });
      },
    }),
    fits: new PromptFits(),
    room: new PromptRoom(),
    debriefWaitMs: overrides.debriefWaitMs ?? DEBRIEF_WAIT_MS,
    prewarming: new Prewarming(),
    metrics: new TurnMetrics(metrics.registry, { turns: () => turns.count, sockets: () => hub.connections }),
  };
  return context;
}
