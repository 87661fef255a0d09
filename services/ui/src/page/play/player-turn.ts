import { assign, raise } from 'xstate';
import { changeOfAnswer, errorOf, hasCode, playSetup, sessionInput } from './play-setup';

/** The player's turn: words are composed, read over when that is wanted, and said; or the talk is ended. */
export const playerTurn = playSetup.createStateConfig({
  initial: 'Composing',
  on: {
    MESSAGE: [
      { guard: 'isTokenForAnother', target: 'AnsweringElsewhere', actions: 'hear' },
      { guard: 'isNews', actions: raise({ type: 'RESYNC' }) },
    ],
  },
  states: {
    Composing: {
      // What was wished for a moment too early is done now.
      always: [
        { guard: 'wishesToSend', actions: ['makePending', 'remember'], target: '#play.scene.AwaitingReply' },
        { guard: 'wishesToReview', actions: 'dropWish', target: 'Reviewing' },
      ],
      on: {
        SEND: { guard: 'canSend', actions: ['makePending', 'remember'], target: '#play.scene.AwaitingReply' },
        REVIEW: { guard: 'canSend', target: 'Reviewing' },
        ...changeOfAnswer,
        END: 'Ending',
        SYNCED: { guard: 'isOver', target: '#play.scene.Finished' },
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
      // The answer of the call itself says how it ended.
      on: { MESSAGE: {} },
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
            target: '#play.scene.Error',
            actions: { type: 'setError', params: ({ event }) => ({ error: errorOf(event), resume: 'end' }) },
          },
        ],
      },
    },
  },
});
