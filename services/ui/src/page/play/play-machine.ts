import { and, assign, raise, stateIn } from 'xstate';
import { ApiError } from '../client/api-error';
import { answeringAgain, choosingAnswer } from './answering-again';
import { answeringElsewhere } from './answering-elsewhere';
import { awaitingReply } from './awaiting-reply';
import { finished } from './finished';
import { errorOf, hasCode, playSetup, portsOf, sessionInput, queuedSend } from './play-setup';
import { isOlder, mergeTurns } from './play-state';
import { playerTurn } from './player-turn';

/** How long a stage direction stands alone before it is the player's turn again, in milliseconds. */
const EVENT_PAUSE_MS = 700;
/** How long after the first key the service is told that the player types, in milliseconds: a slip is no beginning. */
const TYPING_MS = 400;

/**
 * What the page does while a scenario is played: the client states beside the server's flow_state. Four regions: `scene`
 * (what the player sees), `link` (the socket), `sync` (fetching the state after a gap), `typing` (telling the service that the player begins). The server decides everything; this
 * machine only says what the page waits for.
 */
export const playMachine = playSetup.createMachine({
  id: 'play',
  context: ({ input }) => ({
    input,
    scenario: null,
    play: null,
    created: null,
    draft: '',
    pending: null,
    wish: null,
    toldTypingAt: null,
    againKey: null,
    wantedVariant: null,
    streamed: '',
    streamedLate: false,
    finalDue: false,
    stopping: false,
    runtime: null,
    error: null,
    resume: 'loading',
  }),
  entry: 'recall',
  type: 'parallel',
  on: {
    // Words that change once more are not to be said yet.
    DRAFT: {
      actions: [assign({ draft: ({ event }) => event.text, wish: null }), 'remember', raise({ type: 'TYPED' })],
    },
  },
  states: {
    scene: {
      initial: 'LoadingScenario',
      states: {
        LoadingScenario: {
          on: queuedSend,
          invoke: {
            src: 'load',
            input: ({ context }) => context.input,
            onDone: {
              target: 'Loaded',
              actions: assign({
                scenario: ({ event }) => event.output.scenario,
                play: ({ event }) => event.output.play,
              }),
            },
            onError: {
              target: 'Error',
              actions: { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'loading' }) },
            },
          },
        },
        Loaded: {
          entry: 'clearError',
          always: [
            { guard: 'isBriefing', target: 'Briefing' },
            { guard: 'isPendingRecorded', actions: ['dropPending', 'remember'], target: 'Settling' },
            { guard: 'isOver', actions: ['returnPending', 'remember'], target: 'Finished' },
            { target: 'LoadingModel' },
          ],
        },
        Briefing: {
          initial: 'Reading',
          states: {
            Reading: { on: { BEGIN: 'Creating' } },
            Creating: {
              invoke: {
                src: 'create',
                input: ({ context, event }) => ({
                  ports: context.input.ports,
                  scenarioId: context.input.kind === 'scenario' ? context.input.scenarioId : '',
                  choice:
                    event.type === 'BEGIN'
                      ? event.choice
                      : { difficulty: null, focus: null, coaching: false, language: null },
                }),
                onDone: { target: 'Created', actions: assign({ created: ({ event }) => event.output, error: null }) },
                onError: {
                  target: 'Reading',
                  actions: { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'loading' }) },
                },
              },
            },
            Created: {},
          },
        },
        LoadingModel: {
          invoke: { src: 'waitForModel', input: portsOf },
          on: {
            ...queuedSend,
            WAITING: [
              {
                guard: ({ event }) => event.runtime.status === 'STARTING',
                actions: assign({ runtime: ({ event }) => event.runtime }),
              },
              {
                guard: ({ event }) => event.runtime.status === 'READY' || event.runtime.status === 'DEGRADED',
                actions: assign({ runtime: ({ event }) => event.runtime }),
                target: 'ModelReady',
              },
              {
                actions: assign({
                  runtime: ({ event }) => event.runtime,
                  resume: 'model',
                  error: ({ event }) => new ApiError('RUNTIME_UNAVAILABLE', 503, event.runtime.message ?? '', true),
                }),
                target: 'Error',
              },
            ],
            CONTINUE: 'ModelReady',
          },
        },
        ModelReady: {
          entry: 'clearError',
          always: [
            { guard: 'isNotStarted', target: 'NpcOpening' },
            { guard: 'hasPending', target: 'AwaitingReply' },
            { target: 'PlayerTurnReview' },
          ],
        },
        NpcOpening: {
          on: queuedSend,
          invoke: {
            src: 'start',
            input: sessionInput,
            onDone: {
              target: 'PlayerTurnReview',
              actions: assign({
                play: ({ event }) => ({
                  session: event.output.session,
                  turns: [event.output.turn],
                  happenings: [],
                  lastDelta: {},
                }),
              }),
            },
            onError: [
              // Another tab was first: what it started is what is played.
              { guard: hasCode('INVALID_STATE'), target: 'LoadingScenario' },
              {
                target: 'Error',
                actions: { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'opening' }) },
              },
            ],
          },
        },
        PlayerTurnReview: playerTurn,
        AwaitingReply: awaitingReply,
        AnsweringElsewhere: answeringElsewhere,
        AnsweringAgain: answeringAgain,
        ChoosingAnswer: choosingAnswer,
        ScenarioEvent: {
          after: { [EVENT_PAUSE_MS]: 'Settling' },
          on: {
            CONTINUE: 'Settling',
            // Whoever answers has read it.
            SEND: { guard: 'hasWords', actions: 'wish', target: 'Settling' },
            REVIEW: { guard: 'hasWords', actions: 'wish', target: 'Settling' },
          },
        },
        Settling: {
          always: [
            { guard: 'isOver', target: 'Finished' },
            { guard: 'isNotStarted', target: 'LoadingModel' },
            { target: 'PlayerTurnReview' },
          ],
        },
        Finished: finished,
        Error: {
          // What is said next is decided anew, by somebody who knows of the failure.
          entry: 'dropWish',
          on: {
            RETRY: [
              { guard: 'resumesModel', target: 'LoadingModel' },
              { guard: 'resumesOpening', target: 'NpcOpening' },
              { guard: 'resumesTurn', actions: 'clearError', target: 'AwaitingReply' },
              { guard: 'resumesAgain', actions: 'clearError', target: 'AnsweringAgain' },
              { guard: 'resumesEnd', actions: 'clearError', target: 'PlayerTurnReview.Ending' },
              { target: 'LoadingScenario' },
            ],
            CONTINUE: [
              { guard: 'resumesModel', target: 'ModelReady' },
              // Whether another answer was stored, or the talk is over, is seen by looking.
              { guard: 'resumesAgain', target: 'LoadingScenario' },
              { guard: 'resumesEnd', target: 'LoadingScenario' },
            ],
            EDIT: { guard: 'resumesTurn', actions: ['returnPending', 'remember', 'clearError'], target: 'Settling' },
            MESSAGE: { guard: 'isNews', actions: raise({ type: 'RESYNC' }) },
            END: { guard: 'isPlaying', actions: 'clearError', target: 'PlayerTurnReview.Ending' },
            SYNCED: [
              { guard: 'isPendingRecorded', actions: ['dropPending', 'remember', 'clearError'], target: 'Settling' },
              { guard: 'isOver', actions: ['returnPending', 'remember', 'clearError'], target: 'Finished' },
              {
                guard: ({ context }) => context.error?.code === 'UNREACHABLE' && context.resume === 'turn',
                actions: assign({ error: () => new ApiError('NOT_RECORDED', 0, '', true) }),
              },
            ],
          },
        },
      },
      on: {
        GONE: {
          target: '.Error',
          actions: assign({
            resume: 'loading',
            error: () => new ApiError('SESSION_NOT_FOUND', 404, '', false),
          }),
        },
      },
    },
    link: {
      initial: 'Idle',
      states: {
        Idle: { always: { guard: ({ context }) => context.input.kind === 'session', target: 'Live' } },
        Live: {
          invoke: { src: 'socket', input: sessionInput },
          initial: 'Connecting',
          states: { Connecting: {}, Connected: {}, Reconnecting: {} },
          on: {
            LINK_UP: { target: '.Connected', actions: 'noFinalDue' },
            LINK_DOWN: { target: '.Reconnecting', actions: 'noFinalDue' },
            MESSAGE: { guard: 'isFinal', actions: 'noFinalDue' },
            GONE: 'Gone',
          },
        },
        Gone: {},
      },
    },
    typing: {
      initial: 'Quiet',
      states: {
        Quiet: {
          on: {
            TYPED: { guard: and([stateIn({ scene: { PlayerTurnReview: 'Composing' } }), 'isUntold']), target: 'Begun' },
          },
        },
        Begun: {
          after: {
            [TYPING_MS]: [
              {
                guard: stateIn({ scene: { PlayerTurnReview: 'Composing' } }),
                actions: ['tellTyping', 'rememberTold'],
                target: 'Quiet',
              },
              { target: 'Quiet' },
            ],
          },
        },
      },
    },
    sync: {
      initial: 'Idle',
      states: {
        Idle: { on: { RESYNC: { guard: ({ context }) => context.play !== null, target: 'Syncing' } } },
        Syncing: {
          // What is being fetched may be older than the news.
          on: { RESYNC: { target: 'Syncing', reenter: true } },
          invoke: {
            src: 'resync',
            input: sessionInput,
            onDone: {
              target: 'Idle',
              actions: [
                assign({
                  play: ({ context, event }) =>
                    // An answer that was overtaken by a turn's own answer is old news.
                    context.play !== null && isOlder(event.output, context.play)
                      ? context.play
                      : { ...event.output, turns: mergeTurns(context.play?.turns ?? [], event.output.turns) },
                }),
                raise({ type: 'SYNCED' }),
              ],
            },
            onError: 'Idle',
          },
        },
      },
    },
  },
});
