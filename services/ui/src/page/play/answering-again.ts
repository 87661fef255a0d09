import { assign } from 'xstate';
import { errorOf, hasCode, playSetup, sessionInput } from './play-setup';
import { afterTurn } from './play-state';

/** What both have in common that change the last answer: whoever else changes it meanwhile is listened to. */
const OVERTAKEN = [
  { guard: hasCode('TURN_IN_PROGRESS'), target: 'AnsweringElsewhere' },
  { guard: hasCode('TURN_ABORTED', 'INVALID_STATE'), target: 'LoadingScenario' },
] as const;

/** The character answers the player's last words anew: its words take the place of the last answer. */
export const answeringAgain = playSetup.createStateConfig({
  initial: 'NpcThinking',
  entry: ['expectFinal', 'clearStream'],
  exit: ['clearStream', 'noStopAgain'],
  invoke: {
    src: 'regenerate',
    input: ({ context }) => ({ ...sessionInput({ context }), key: context.againKey ?? '' }),
    onDone: [
      {
        guard: ({ event }) => event.output.events.some((one) => one.type === 'scenario.event'),
        target: 'ScenarioEvent',
        actions: assign({ play: ({ context, event }) => context.play && afterTurn(context.play, event.output) }),
      },
      {
        target: 'Settling',
        actions: assign({ play: ({ context, event }) => context.play && afterTurn(context.play, event.output) }),
      },
    ],
    onError: [
      ...OVERTAKEN,
      {
        target: 'Error',
        actions: { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'again' }) },
      },
    ],
  },
  on: {
    STOP: { guard: 'isPlaying', actions: [assign({ stopping: true }), 'requestStop', 'stopAgain'] },
    END: { guard: 'isPlaying', target: 'PlayerTurnReview.Ending' },
  },
  states: {
    NpcThinking: {
      on: {
        MESSAGE: [
          { guard: 'isFinal', target: 'NpcSpeaking', actions: 'hear' },
          { guard: 'isToken', target: 'NpcSpeaking', actions: 'hear' },
        ],
      },
    },
    NpcSpeaking: {
      on: {
        MESSAGE: { actions: 'hear' },
        LINK_DOWN: { actions: assign({ streamedLate: true, streamed: '' }) },
      },
    },
  },
});

/** An earlier answer is brought back. */
export const choosingAnswer = playSetup.createStateConfig({
  invoke: {
    src: 'chooseVariant',
    input: ({ context }) => ({
      ...sessionInput({ context }),
      index: context.play?.turns.at(-1)?.index ?? 0,
      variant: context.wantedVariant ?? 1,
    }),
    onDone: {
      target: 'Settling',
      actions: assign({ play: ({ context, event }) => context.play && afterTurn(context.play, event.output) }),
    },
    onError: [
      ...OVERTAKEN,
      {
        target: 'Error',
        actions: { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'loading' }) },
      },
    ],
  },
});
