import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import { requireState, writeDebrief, type StandInSession } from './stand-in-sessions';

const WRITING_MS = 5;

/** Debriefs, and how the player rates the talk before reading one. */
export class StandInDebriefs {
  /** Whether a debrief that is there stays as a test has made it. */
  areKept = false;

  constructor(private readonly find: (id: string) => StandInSession) {}

  handlers(): Handlers {
    return {
      createDebrief: async ({ params }) => {
        const one = this.find(params.id);
        requireState(one, 'debrief', 'Ended', 'DebriefGenerating', 'DebriefReady');
        await wait(WRITING_MS);
        if (one.debrief === null || !this.areKept) one.debrief = writeDebrief(one);
        one.session = { ...one.session, flow_state: 'DebriefReady' };
        return { status: 200, body: one.debrief };
      },
      getDebrief: ({ params }) => {
        const { debrief } = this.find(params.id);
        if (debrief === null) throw new ServiceError('DEBRIEF_NOT_FOUND', 'There is no debrief yet.');
        return { status: 200, body: debrief };
      },
      rateSelf: ({ params, body }) => {
        const one = this.find(params.id);
        one.selfRatings = body.ratings;
        return { body: { session_id: params.id, ratings: body.ratings } };
      },
    };
  }
}
