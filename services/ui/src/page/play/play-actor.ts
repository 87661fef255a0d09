import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { playMachine } from './play-machine';

export type PlayActor = ActorRefFrom<typeof playMachine>;
export type PlaySnapshot = SnapshotFrom<typeof playMachine>;

/** Whether the talk waits for a model that is being loaded. That it is asked for is no news: mostly it is ready. */
export const isModelLoading = (state: PlaySnapshot): boolean =>
  state.matches({ scene: 'LoadingModel' }) && state.context.runtime?.status === 'STARTING';

/** Whether the character is answering this tab: what was just said, or what was said last, anew. */
export const isAnswering = (state: PlaySnapshot): boolean =>
  state.matches({ scene: 'AwaitingReply' }) || state.matches({ scene: 'AnsweringAgain' });
