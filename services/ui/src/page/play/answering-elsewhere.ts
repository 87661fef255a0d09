import { assign, or, raise } from 'xstate';
import { playSetup } from './play-setup';

/** Silence after which nobody speaks any more, in milliseconds: the end of the turn may have been missed. */
const QUIET_MS = 20_000;
/** When a fetch that did not come back is begun again, in milliseconds. */
const AGAIN_MS = 4_000;

/**
 * The character answers another tab of the same talk: what is said there is shown as it comes, and fetched when it is
 * over. What the player typed here stays in the composer.
 */
export const answeringElsewhere = playSetup.createStateConfig({
  initial: 'Listening',
  on: {
    END: 'PlayerTurnReview.Ending',
    LINK_DOWN: { actions: assign({ streamed: '', streamedLate: true }) },
  },
  states: {
    Listening: {
      after: { [QUIET_MS]: 'Fetching' },
      on: {
        MESSAGE: [
          { guard: 'isToken', target: 'Listening', reenter: true, actions: 'hear' },
          { guard: or(['isNews', 'isFinal']), target: 'Fetching', actions: 'hear' },
        ],
        // Fetched for another reason: should the turn still run, its next words lead back here.
        SYNCED: { target: '#play.scene.Settling', actions: assign({ streamed: '', streamedLate: true }) },
      },
    },
    Fetching: {
      entry: raise({ type: 'RESYNC' }),
      after: { [AGAIN_MS]: { target: 'Fetching', reenter: true } },
      on: { SYNCED: { target: '#play.scene.Settling', actions: assign({ streamed: '', streamedLate: false }) } },
    },
  },
});
