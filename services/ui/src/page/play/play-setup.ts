import { assign, cancel, fromCallback, fromPromise, raise, setup } from 'xstate';
import type { Session, StartAnswer, TurnAnswer } from '@parley/shared/contracts';
import { ApiError } from '../client/api-error';
import { canAskAgain, changeableAnswer, isNewAnswer, isRecorded } from './play-state';
import type {
  BeginChoice,
  PendingTurn,
  PlayContext,
  PlayEvent,
  PlayInput,
  PlayPorts,
  PlayState,
  ResumePoint,
  Scenario,
} from './play-ports';

interface Loaded {
  readonly scenario: Scenario;
  readonly play: PlayState | null;
}

/** After a stop that has stopped nothing it is asked for again, in milliseconds. */
const STOP_AGAIN_MS = 1_000;

type SessionInput = { ports: PlayPorts; sessionId: string };

export const portsOf = ({ context }: { context: PlayContext }): PlayPorts => context.input.ports;
export const sessionInput = ({ context }: { context: PlayContext }): SessionInput => ({
  ports: context.input.ports,
  sessionId: context.input.kind === 'session' ? context.input.sessionId : '',
});
export const errorOf = (event: unknown): ApiError => ApiError.from((event as { error?: unknown }).error);
export const hasCode =
  (...codes: string[]) =>
  ({ event }: { event: unknown }): boolean =>
    codes.includes(errorOf(event).code);
const canSend = (context: PlayContext): boolean => context.draft.trim() !== '' && context.pending === null;
const flowState = (context: PlayContext) => context.play?.session.flow_state;

/**
 * For a state that passes by itself while the composer can be used: what the player wishes is kept until it is their turn.
 */
export const queuedSend = {
  SEND: { guard: 'hasWords', actions: 'wish' },
  REVIEW: { guard: 'hasWords', actions: 'wish' },
} as const;

/** Where the last answer of the character can be changed for another one. */
export const changeOfAnswer = {
  AGAIN: { guard: 'mayAskAgain', actions: 'makeAgainKey', target: '#play.scene.AnsweringAgain' },
  CHOOSE: { guard: 'mayChoose', actions: 'wantVariant', target: '#play.scene.ChoosingAnswer' },
} as const;

/** What the chart of the play machine is made of: the promises it waits for, its conditions and its changes. */
export const playSetup = setup({
  types: { context: {} as PlayContext, events: {} as PlayEvent, input: {} as PlayInput },
  actors: {
    load: fromPromise<Loaded, PlayInput>(async ({ input }) => {
      if (input.kind === 'scenario') return { scenario: await input.ports.loadScenario(input.scenarioId), play: null };
      const play = await input.ports.loadPlay(input.sessionId);
      return { scenario: await input.ports.loadScenario(play.session.scenario_id), play };
    }),
    waitForModel: fromCallback<PlayEvent, PlayPorts>(({ input, sendBack }) => {
      const control = new AbortController();
      input
        .waitForModel(control.signal, (runtime) => sendBack({ type: 'WAITING', runtime }))
        .then(
          (runtime) => sendBack({ type: 'WAITING', runtime }),
          // Health that cannot be asked for holds nobody up: the next call says what is wrong.
          () => !control.signal.aborted && sendBack({ type: 'CONTINUE' }),
        );
      return () => control.abort();
    }),
    create: fromPromise<Session, { ports: PlayPorts; scenarioId: string; choice: BeginChoice }>(({ input }) =>
      input.ports.createSession(input.scenarioId, input.choice),
    ),
    start: fromPromise<StartAnswer, SessionInput>(({ input }) => input.ports.startSession(input.sessionId)),
    takeTurn: fromPromise<TurnAnswer, SessionInput & { pending: PendingTurn }>(({ input }) =>
      input.ports.takeTurn(input.sessionId, input.pending),
    ),
    regenerate: fromPromise<TurnAnswer, SessionInput & { key: string }>(({ input }) =>
      input.ports.regenerate(input.sessionId, input.key),
    ),
    chooseVariant: fromPromise<TurnAnswer, SessionInput & { index: number; variant: number }>(({ input }) =>
      input.ports.chooseVariant(input.sessionId, input.index, input.variant),
    ),
    end: fromPromise<{ session: Session }, SessionInput>(({ input }) => input.ports.endSession(input.sessionId)),
    resync: fromPromise<PlayState, SessionInput>(({ input }) => input.ports.loadPlay(input.sessionId)),
    socket: fromCallback<PlayEvent, SessionInput>(({ input, sendBack }) => {
      const socket = input.ports.openSocket(input.sessionId, {
        onMessage: (message) => sendBack({ type: 'MESSAGE', message }),
        onUp: (again) => {
          sendBack({ type: 'LINK_UP' });
          if (again) sendBack({ type: 'RESYNC' });
        },
        onDown: () => sendBack({ type: 'LINK_DOWN' }),
        onGap: () => sendBack({ type: 'RESYNC' }),
        onGone: () => sendBack({ type: 'GONE' }),
      });
      return () => socket.close();
    }),
  },
  guards: {
    isBriefing: ({ context }) => context.input.kind === 'scenario',
    isNotStarted: ({ context }) => flowState(context) === 'NotStarted',
    isPlaying: ({ context }) => flowState(context) === 'PlayerTurnListening',
    isOver: ({ context }) =>
      context.play !== null && !['NotStarted', 'PlayerTurnListening'].includes(flowState(context) ?? ''),
    hasPending: ({ context }) => context.pending !== null,
    isPendingRecorded: ({ context }) =>
      context.pending !== null && context.play !== null && isRecorded(context.pending, context.play),
    resumesLoading: ({ context }) => context.resume === 'loading',
    resumesModel: ({ context }) => context.resume === 'model',
    resumesOpening: ({ context }) => context.resume === 'opening',
    resumesEnd: ({ context }) => context.resume === 'end',
    resumesAgain: ({ context }) => context.resume === 'again',
    mayAskAgain: ({ context }) => context.play !== null && canAskAgain(context.play),
    mayChoose: ({ context }) => context.play !== null && changeableAnswer(context.play) !== null,
    resumesTurn: ({ context }) => context.resume === 'turn',
    hasWords: ({ context }) => context.draft.trim() !== '',
    canSend: ({ context }) => canSend(context),
    wishesToSend: ({ context }) => context.wish === 'SEND' && canSend(context),
    wishesToReview: ({ context }) => context.wish === 'REVIEW' && canSend(context),
    isFinal: ({ event }) => event.type === 'MESSAGE' && event.message.type === 'npc.final',
    isToken: ({ event }) => event.type === 'MESSAGE' && event.message.type === 'npc.token',
    /** Words that no turn of this tab waits for. */
    isTokenForAnother: ({ context, event }) =>
      event.type === 'MESSAGE' && event.message.type === 'npc.token' && !context.finalDue,
    /** A turn or an answer that this tab does not know, the failure of one, or another state of the session. */
    isNews: ({ context, event }) =>
      event.type === 'MESSAGE' &&
      (event.message.type === 'error' ||
        (event.message.type === 'npc.final' && isNewAnswer(event.message.payload, context.play?.turns ?? [])) ||
        (event.message.type === 'session.state' && event.message.payload.state !== flowState(context))),
    /** Typing is told of once in each of the player's turns. */
    isUntold: ({ context }) => context.play !== null && context.toldTypingAt !== context.play.session.turn_count,
  },
  actions: {
    remember: ({ context }) => {
      // Words of a session that is not saved stay in memory: a browser writes what its tabs remember to disk.
      if (context.input.kind !== 'session' || context.play?.session.transcript_saved === false) return;
      context.input.ports.writeDraft(context.input.sessionId, context.draft);
      context.input.ports.writePending(context.input.sessionId, context.pending);
    },
    recall: assign(({ context }) =>
      context.input.kind === 'session'
        ? {
            draft: context.input.ports.readDraft(context.input.sessionId),
            pending: context.input.ports.readPending(context.input.sessionId),
          }
        : {},
    ),
    dropPending: assign({ pending: null, stopping: false, streamed: '', streamedLate: false }),
    /** The words go back into the composer, before what was typed meanwhile. */
    returnPending: assign(({ context }) => ({
      draft: [context.pending?.text, context.draft].filter(Boolean).join('\n'),
      pending: null,
      wish: null,
      stopping: false,
      streamed: '',
      streamedLate: false,
      finalDue: false,
    })),
    /** Another tab was first: the words go back into the composer, and what is heard stands where it stands. */
    yieldTurn: assign(({ context }) => ({
      draft: [context.pending?.text, context.draft].filter(Boolean).join('\n'),
      pending: null,
      wish: null,
      stopping: false,
      finalDue: false,
    })),
    expectFinal: assign({ finalDue: true }),
    noFinalDue: assign({ finalDue: false }),
    wish: assign({ wish: ({ event }) => (event.type === 'SEND' || event.type === 'REVIEW' ? event.type : null) }),
    dropWish: assign({ wish: null }),
    makePending: assign(({ context }) => ({
      pending: {
        text: context.draft.trim(),
        key: context.input.ports.newKey(),
        turnCount: context.play?.session.turn_count ?? 0,
      },
      draft: '',
      wish: null,
      error: null,
      streamed: '',
      streamedLate: false,
    })),
    /** A piece of the reply, or the whole of it, which replaces the pieces. */
    hear: assign(({ context, event }) => {
      if (event.type !== 'MESSAGE') return {};
      if (event.message.type === 'npc.token') return { streamed: context.streamed + event.message.payload.text };
      if (event.message.type === 'npc.final' && event.message.payload.content !== null)
        return { streamed: event.message.payload.content, streamedLate: false };
      return {};
    }),
    setError: assign((_, params: { error: ApiError; resume: ResumePoint }) => params),
    clearError: assign({ error: null }),
    makeAgainKey: assign({ againKey: ({ context }) => context.input.ports.newKey() }),
    wantVariant: assign({ wantedVariant: ({ event }) => (event.type === 'CHOOSE' ? event.variant : null) }),
    clearStream: assign({ streamed: '', streamedLate: false, stopping: false }),
    tellTyping: ({ context }) => {
      // A help for the model alone: nobody waits for it, and nobody misses it.
      if (context.input.kind === 'session')
        context.input.ports.hintTyping(context.input.sessionId).catch(() => undefined);
    },
    rememberTold: assign({ toldTypingAt: ({ context }) => context.play?.session.turn_count ?? null }),
    requestStop: ({ context }) => {
      // Whether it came in time is told by the answer to the turn itself.
      if (context.input.kind === 'session')
        context.input.ports.cancelTurn(context.input.sessionId).catch(() => undefined);
    },
    // A stop that overtakes the words on their way finds nothing to stop.
    stopAgain: raise({ type: 'STOP' }, { id: 'stop-again', delay: STOP_AGAIN_MS }),
    noStopAgain: cancel('stop-again'),
  },
});
