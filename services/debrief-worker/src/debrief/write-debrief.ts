import { hasChecks } from '@parley/shared/engine';
import { factsBefore, findSession, isDemoTalk, type JobRow } from '@parley/shared/store';
import type { WorkerContext } from '../context';
import { JobInterrupted } from '../jobs/keep-lease';
import type { JobOutcome } from '../worker-metrics';
import { announceDebrief } from './announce-debrief';
import { askModel } from './ask-model';
import { makeDebrief } from './make-debrief';
import { judgeSession } from './judged-session';
import { secondOpinion, withoutQuotations } from './second-opinion';
import { sessionMaterial, withMemory } from './session-material';
import { finishObsoleteJob, storeDebrief } from './store-debrief';

/**
 * Writes the debrief of a claimed job. The scores are computed; the model writes only the narrative, and when it cannot,
 * the narrative is made from the scores: a debrief always arrives.
 *
 * Of a session whose transcript is not saved, what the model wrote goes back into session-api's memory; the stored
 * document is made from the scores alone.
 *
 * @throws JobInterrupted when the job was taken over or the worker stops; any other error is worth another attempt
 */
export async function writeDebrief(context: WorkerContext, job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
  const session = await findSession(context.database, job.session_id);
  if (session === null || session.flow_state !== 'DebriefGenerating') {
    await finishObsoleteJob(context, job);
    return 'obsolete';
  }
  const material = await sessionMaterial(context, session, signal);
  const { memory } = material;
  const whole = memory === null ? material : withMemory(material, memory);

  // Without a single word of the talk a model could only invent.
  const hasText = whole.turns.some(({ text }) => text !== null);
  // The letter of a demo talk is ours alone: no model has heard it.
  const isDemo = isDemoTalk(session.engine_state) && hasChecks(material.content);
  const mayAsk = !isDemo && hasText && job.attempts <= context.policy.attemptsWithModel;
  const opinions = mayAsk ? await secondOpinion(context, whole, signal) : null;
  const judged = judgeSession(whole, opinions);
  const written = mayAsk && judged.scores.judged ? await askModel(context, whole, judged, signal) : null;

  const parts = {
    facts_before: await factsBefore(context.database, session),
    generated_at: context.now().toISOString(),
    is_demo: isDemo,
  };
  const bare = opinions === null ? null : withoutQuotations(opinions);
  const toStore = session.transcript_saved
    ? makeDebrief({ ...parts, material, judged, written })
    : makeDebrief({ ...parts, material, judged: judgeSession(material, bare), written: null });
  const forMemory = memory === null ? null : makeDebrief({ ...parts, material: whole, judged, written });
  signal.throwIfAborted();
  const stored = await storeDebrief(context, job, material, toStore);
  if (stored === 'lost') throw new JobInterrupted('lost');
  if (stored === 'obsolete') return 'obsolete';
  await announceDebrief(context, session.id, forMemory);
  return written === null ? 'fallback' : 'model';
}
