import type { Debrief } from '@parley/shared/contracts';
import { relationshipRecap } from '@parley/shared/engine';
import {
  findRecap,
  finishJob,
  getSettings,
  insertDebrief,
  markDebriefReady,
  saveRecap,
  type JobRow,
} from '@parley/shared/store';
import type { WorkerContext } from '../context';
import type { SessionMaterial } from './session-material';

export type Stored =
  /** Debrief, DebriefReady and the end of the job are on disk. */
  | 'stored'
  /** The session is gone or has its debrief already; the job is done. */
  | 'obsolete'
  /** The job belongs to somebody else by now; nothing was stored. */
  | 'lost';

/** Ends a job that has nothing to do. */
export async function finishObsoleteJob(context: WorkerContext, job: JobRow): Promise<void> {
  await context.database.write((transaction) => finishJob(transaction, { id: job.id, owner: context.owner }));
}

/**
 * The debrief, DebriefReady, the recap (when relationship memory is on) and the end of the job, in one transaction: at
 * whatever point the process is killed, the next attempt finds all of it or nothing, so there is exactly one debrief.
 */
export async function storeDebrief(
  context: WorkerContext,
  job: JobRow,
  material: SessionMaterial,
  debrief: Debrief,
): Promise<Stored> {
  const { content, turns } = material;
  return context.database.write(async (transaction) => {
    if (!(await finishJob(transaction, { id: job.id, owner: context.owner }))) return 'lost';
    if (!(await markDebriefReady(transaction, debrief.session_id, debrief.overall_score))) return 'obsolete';
    await insertDebrief(transaction, debrief);
    if ((await getSettings(transaction)).relationship_memory_enabled) {
      const previous = await findRecap(transaction, content.npc.npc_id, content.pack_id);
      const texts = turns.map(({ text }) => text);
      const at = debrief.generated_at;
      await saveRecap(transaction, relationshipRecap({ content, previous, debrief, texts, at }), at);
    }
    return 'stored';
  });
}
