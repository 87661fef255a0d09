import { assign, raise } from 'xstate';
import { ApiError } from '../client/api-error';
import { hasCode, errorOf, flowState, portsOf, sessionInput, playSetup } from './play-setup';
import { afterTurn, mergeTurns } from './play-state';

/** How long a stage direction stands alone before it is the player's turn again, in milliseconds. */
const EVENT_PAUSE_MS = 700;

/**
 * What the page does while a scenario is played: the client states beside the server's flow_state. Three regions: `scene`
 * (what the player sees), `link` (the socket), `sync` (fetching the state after a gap). The server decides everything; this
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
    streamed: '',
    streamedLate: false,
    stopping: false,
    runtime: null,
    error: null,
    resume: 'loading',
  }),
  entry: 'recall',
  type: 'parallel',
  on: {
    DRAFT: { actions: [assign({ draft: ({ event }) => event.text }), 'remember'] },
  },
  states: {
    scene: {
      initial: 'LoadingScenario',
      states: {
        LoadingScenario: {
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
                  choice: event.type === 'BEGIN' ? event.choice : { difficulty: null, focus: null },
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
        PlayerTurnReview: {
          initial: 'Composing',
          states: {
            Composing: {
              on: {
                SEND: { guard: 'canSend', actions: ['makePending', 'remember'], target: '#play.scene.AwaitingReply' },
                REVIEW: { guard: 'canSend', target: 'Reviewing' },
                END: 'Ending',
                SYNCED: { guard: 'isOver', target: '#play.scene.Finished' },
                MESSAGE: {
                  guard: ({ context, event }) =>
                    (event.message.type === 'npc.final' &&
                      event.message.payload.turn > (context.play?.turns.at(-1)?.index ?? 0)) ||
                    (event.message.type === 'session.state' && event.message.payload.state !== flowState(context)),
                  actions: raise({ type: 'RESYNC' }),
                },
              },
            },
            Reviewing: {
              on: {
                SEND: { guard: 'canSend', actions: ['makePending', 'remember'], target: '#play.scene.AwaitingReply' },
                EDIT: 'Composing',
                END: 'Ending',
                SYNCED: { guard: 'isOver', target: '#play.scene.Finished' },
              },
            },
            Ending: {
              entry: ['returnPending', 'remember'],
              invoke: {
                src: 'end',
                input: sessionInput,
                onDone: {
                  target: '#play.scene.Finished',
                  actions: assign({
                    play: ({ context, event }) => context.play && { ...context.play, session: event.output.session },
                  }),
                },
                onError: [
                  { guard: hasCode('INVALID_STATE'), target: '#play.scene.LoadingScenario' },
                  {
                    target: 'Composing',
                    actions: {
                      type: 'setError',
                      params: ({ event }) => ({ error: errorOf(event), resume: 'loading' }),
                    },
                  },
                ],
              },
            },
          },
        },
        AwaitingReply: {
          initial: 'NpcThinking',
          invoke: {
            src: 'takeTurn',
            input: ({ context }) => ({
              ...sessionInput({ context }),
              pending: context.pending ?? { text: '', key: '', turnCount: 0 },
            }),
            onDone: [
              {
                guard: ({ event }) => event.output.events.some((one) => one.type === 'scenario.event'),
                target: 'ScenarioEvent',
                actions: [
                  assign({ play: ({ context, event }) => context.play && afterTurn(context.play, event.output) }),
                  'dropPending',
                  'remember',
                ],
              },
              {
                target: 'Settling',
                actions: [
                  assign({ play: ({ context, event }) => context.play && afterTurn(context.play, event.output) }),
                  'dropPending',
                  'remember',
                ],
              },
            ],
            onError: [
              {
                guard: hasCode('TURN_ABORTED'),
                target: 'LoadingScenario',
                actions: ['returnPending', 'remember'],
              },
              { guard: hasCode('INVALID_STATE'), target: 'LoadingScenario', actions: ['returnPending', 'remember'] },
              {
                target: 'Error',
                actions: [
                  assign({ stopping: false, streamed: '' }),
                  { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'turn' }) },
                ],
              },
            ],
          },
          on: {
            STOP: { actions: [assign({ stopping: true }), 'requestStop'] },
            END: 'PlayerTurnReview.Ending',
          },
          states: {
            NpcThinking: {
              on: {
                MESSAGE: {
                  guard: ({ event }) => event.message.type === 'npc.token' || event.message.type === 'npc.final',
                  target: 'NpcSpeaking',
                  actions: 'hear',
                },
              },
            },
            NpcSpeaking: {
              on: {
                MESSAGE: { actions: 'hear' },
                LINK_DOWN: { actions: assign({ streamedLate: true, streamed: '' }) },
              },
            },
          },
        },
        ScenarioEvent: { after: { [EVENT_PAUSE_MS]: 'Settling' }, on: { CONTINUE: 'Settling' } },
        Settling: {
          always: [
            { guard: 'isOver', target: 'Finished' },
            { guard: 'isNotStarted', target: 'LoadingModel' },
            { target: 'PlayerTurnReview' },
          ],
        },
        // Nothing can be said any more: what was typed is not kept.
        Finished: { entry: [assign({ draft: '', pending: null }), 'remember'] },
        Error: {
          on: {
            RETRY: [
              { guard: 'resumesModel', target: 'LoadingModel' },
              { guard: 'resumesOpening', target: 'NpcOpening' },
              { guard: 'resumesTurn', actions: 'clearError', target: 'AwaitingReply' },
              { target: 'LoadingScenario' },
            ],
            CONTINUE: { guard: 'resumesModel', target: 'ModelReady' },
            EDIT: { guard: 'resumesTurn', actions: ['returnPending', 'remember', 'clearError'], target: 'Settling' },
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
          actions: assign({ resume: 'loading', error: () => new ApiError('SESSION_NOT_FOUND', 404, '', false) }),
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
          on: { LINK_UP: '.Connected', LINK_DOWN: '.Reconnecting', GONE: 'Gone' },
        },
        Gone: {},
      },
    },
    sync: {
      initial: 'Idle',
      states: {
        Idle: { on: { RESYNC: { guard: ({ context }) => context.play !== null, target: 'Syncing' } } },
        Syncing: {
          invoke: {
            src: 'resync',
            input: sessionInput,
            onDone: {
              target: 'Idle',
              actions: [
                assign({
                  play: ({ context, event }) =>
                    // An answer that was overtaken by a turn's own answer is old news.
                    context.play !== null && context.play.session.turn_count > event.output.session.turn_count
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
