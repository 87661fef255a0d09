import { assign } from 'xstate';
import { errorOf, hasCode, playSetup, sessionInput, queuedSend } from './play-setup';
import { afterTurn } from './play-state';

/** Words are on their way: the character thinks, speaks, and then the answer to the turn itself is waited for. */
export const awaitingReply = playSetup.createStateConfig({
  initial: 'NpcThinking',
  entry: 'expectFinal',
  exit: 'noStopAgain',
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
      {
        guard: hasCode('TURN_IN_PROGRESS'),
        target: 'AnsweringElsewhere',
        actions: ['yieldTurn', 'remember'],
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
    STOP: { actions: [assign({ stopping: true }), 'requestStop', 'stopAgain'] },
    END: 'PlayerTurnReview.Ending',
  },
  states: {
    NpcThinking: {
      on: {
        MESSAGE: [
          { guard: 'isFinal', target: 'NpcHeard', actions: 'hear' },
          { guard: ({ event }) => event.message.type === 'npc.token', target: 'NpcSpeaking', actions: 'hear' },
        ],
      },
    },
    NpcSpeaking: {
      on: {
        MESSAGE: [{ guard: 'isFinal', target: 'NpcHeard', actions: 'hear' }, { actions: 'hear' }],
        LINK_DOWN: { actions: assign({ streamedLate: true, streamed: '' }) },
      },
    },
    // The whole reply stands there, and the answer to the turn is a moment behind it: the player may speak already.
    NpcHeard: { on: { ...queuedSend, MESSAGE: { actions: 'hear' } } },
  },
});
