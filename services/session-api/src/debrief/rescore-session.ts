import { callRoute } from '@parley/shared/client';
import { type Debrief, INTERNAL_ROUTES } from '@parley/shared/contracts';
import { withSelfRatings } from '@parley/shared/store';
import type { Needs } from '../context';
import { requireState, requireTalk } from '../sessions/session-view';

type Verdicts = Debrief['dimensions'][number]['checks'];

/** Where a verdict is the same, the words that prove it are, too. */
function withKnownWords(verdicts: Verdicts, known: Verdicts): Verdicts {
  return verdicts?.map((verdict) => {
    const same = known?.find(
      (one) => one.id === verdict.id && one.verdict === verdict.verdict && one.turn === verdict.turn,
    );
    return same === undefined ? verdict : { ...verdict, quote: same.quote, evidence: same.evidence };
  });
}

/** A debrief with the scores of another; the notes to its observations and the words that prove a check are in the first alone. */
function withScoresOf(debrief: Debrief, scored: Debrief): Debrief {
  const { overall_score, turning_points, state_series, judged, not_judged_reason, provenance, rescored } = scored;
  const dimensions = scored.dimensions.map((dimension) => {
    const known = debrief.dimensions.find(({ id }) => id === dimension.id);
    if (known === undefined) return dimension;
    const { checks, faults } = dimension;
    return {
      ...dimension,
      observations: known.observations,
      ...(checks === undefined ? {} : { checks: withKnownWords(checks, known.checks) }),
      ...(faults === undefined ? {} : { faults: withKnownWords(faults, known.faults) }),
    };
  });
  return {
    ...debrief,
    overall_score,
    turning_points,
    state_series,
    dimensions,
    // Only with a rubric that has checks.
    ...(judged === undefined ? {} : { judged }),
    ...(not_judged_reason === undefined ? {} : { not_judged_reason }),
    ...(provenance === undefined ? {} : { provenance }),
    ...(rescored === undefined ? {} : { rescored }),
  };
}

/**
 * Has the worker compute the scores of a debrief again, with the rubric that the session started with. A second call
 * changes nothing. What the model wrote about a session that is not saved stays, too, as long as it is in memory.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE, SERVICE_UNAVAILABLE.
 */
export async function rescoreSession(
  context: Needs<'database' | 'unsaved' | 'config'>,
  sessionId: string,
  requestId: string,
): Promise<Debrief> {
  const session = await requireTalk(context, sessionId);
  requireState(session, 'rescore', ['DebriefReady']);
  const debrief = await callRoute(
    context.config.base.peers.debrief_worker,
    INTERNAL_ROUTES.rescoreDebrief,
    { params: { id: sessionId } },
    { requestId, timeoutMs: context.config.base.peer_timeout_ms },
  );
  const inMemory = context.unsaved.debrief(sessionId);
  if (inMemory === null) return withSelfRatings(debrief, session.self_ratings);
  const scored = withScoresOf(inMemory, debrief);
  await context.unsaved.replaceDebrief(sessionId, scored);
  return withSelfRatings(scored, session.self_ratings);
}
