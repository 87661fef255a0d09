import { assign, raise } from 'xstate';
import { errorOf, flowState, hasCode, playSetup, sessionInput } from './play-setup';

/** The player's turn: words are composed, read over when that is wanted, and said; or the talk is ended. */
export const playerTurn = playSetup.createStateConfig({
  initial: 'Composing',
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
});
