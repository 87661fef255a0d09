import { ServiceError, type Debrief } from '@parley/shared/contracts';
import { findDebrief, findSession, updateDebrief } from '@parley/shared/store';
import type { WorkerContext } from '../context';
import { judgeSession, type Opinions } from './judged-session';
import { makeDebrief } from './make-debrief';
import { sessionMaterial } from './session-material';

/**
 * Computes scores, turning points and series of a stored debrief again, from the stored observations and the rubric that
 * the session started with. The narrative and its date stay, so a second call changes nothing. Without the rubric, when
 * its pack was removed, nothing can be computed that would not be worse than what is stored: it stays as it is.
 * @throws ServiceError SESSION_NOT_FOUND, DEBRIEF_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function rescoreDebrief(context: WorkerContext, sessionId: string, signal: AbortSignal): Promise<Debrief> {
  const { database } = context;
  const session = await findSession(database, sessionId);
  if (session === null)
    throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it may have been deleted.');
  const stored = await findDebrief(database, sessionId);
  if (stored === null) throw new ServiceError('DEBRIEF_NOT_FOUND', 'This session has no debrief to score again.');
  const material = await sessionMaterial(context, session, signal);
  if (material.content_lost) return stored;
  const judged = judgeSession(material, opinionsOf(stored), true);
  const computed = makeDebrief({
    material,
    judged,
    written: null,
    is_demo: false,
    facts_before: stored.facts_before ?? null,
    generated_at: stored.generated_at,
  });
  const debrief: Debrief = {
    ...stored,
    overall_score: computed.overall_score,
    dimensions: computed.dimensions,
    turning_points: computed.turning_points,
    state_series: computed.state_series,
    ...judgedAgain(stored, computed),
  };
  await context.database.write((transaction) => updateDebrief(transaction, debrief));
  return debrief;
}

/** What the second reader said then: it is not asked again, so that the same words keep the same verdicts. */
function opinionsOf({ dimensions, provenance }: Debrief): Opinions | null {
  const settled = dimensions.flatMap(({ id, checks = [], faults = [] }) =>
    [...checks, ...faults]
      .filter(({ by, verdict }) => by === 'model' && verdict !== 'not_judged')
      .map((one) => ({
        dimension: id,
        check: one.id,
        met: one.verdict === 'met',
        turn: one.turn,
        quote: one.quote,
        span: one.evidence,
      })),
  );
  return settled.length === 0 ? null : { settled, readings: [settled], model_id: provenance?.judge_model ?? null };
}

const OTHER_RUBRIC = 'The score before was made with other checks, so the two cannot be compared.';
const NO_CHECKS = 'The score before came from the model that played, not from checks, so the two cannot be compared.';

/** The judged parts as computed now, with a word on whether the score before can be compared with it. */
function judgedAgain(stored: Debrief, computed: Debrief): Partial<Debrief> {
  if (computed.provenance === undefined) return {};
  const then = stored.provenance;
  const note =
    then === undefined ? NO_CHECKS : then.rubric_hash === computed.provenance.rubric_hash ? null : OTHER_RUBRIC;
  const { judged, not_judged_reason, outcome, never, shut_secrets, moment } = computed;
  return {
    judged,
    not_judged_reason,
    outcome,
    never,
    shut_secrets,
    moment,
    // How often and by whom was asked then stays true: nobody was asked again.
    provenance: then === undefined ? computed.provenance : { ...then, rubric_hash: computed.provenance.rubric_hash },
    rescored: { score_before: stored.overall_score, comparable: note === null, note },
  };
}
