import { assign, raise } from 'xstate';
import { changeOfAnswer, playSetup } from './play-setup';

/** Nothing can be said any more: what was typed until now stands there to be read. An ending may still be undone. */
export const finished = playSetup.createStateConfig({
  entry: [assign({ pending: null, wish: null }), 'remember'],
  on: {
    ...changeOfAnswer,
    // Another tab may have had the last words answered anew.
    MESSAGE: { guard: 'isNews', actions: raise({ type: 'RESYNC' }) },
    SYNCED: { guard: 'isPlaying', target: '#play.scene.Settling' },
  },
});
