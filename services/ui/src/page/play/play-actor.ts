import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { playMachine } from './play-machine';

export type PlayActor = ActorRefFrom<typeof playMachine>;
export type PlaySnapshot = SnapshotFrom<typeof playMachine>;
