import { TalkFacts, type Debrief } from '@parley/shared/contracts';
import type { Queryable } from './dialect';
import type { SessionRow } from './session-row';
import { FINISHED_FROM_LINE } from './session-store';

/** Score of one dimension, kept beside the document so that progress need not read whole documents. */
export interface StoredDimension {
  readonly id: string;
  readonly name: string;
  readonly score: number;
  readonly observed: boolean;
  /** Shared skill that the pack maps it to; missing or null when it names none. */
  readonly skill?: string | null;
  /** How many checks had a verdict; missing without checks. */
  readonly judged_checks?: number;
}

const storedDimensions = (debrief: Debrief): StoredDimension[] =>
  debrief.dimensions.map(({ id, name, score, observed, skill, checks }) => ({
    id,
    name,
    score,
    observed,
    ...(skill === undefined ? {} : { skill }),
    ...(checks === undefined ? {} : { judged_checks: checks.filter((one) => one.verdict !== 'not_judged').length }),
  }));

/** Stores the debrief of a session, once. False: there was one already, which stays. */
export async function insertDebrief(transaction: Queryable, debrief: Debrief): Promise<boolean> {
  const dimensions = storedDimensions(debrief);
  const inserted = (await transaction('debriefs')
    .insert({
      session_id: debrief.session_id,
      document: JSON.stringify(debrief),
      overall_score: debrief.overall_score,
      dimensions: JSON.stringify(dimensions),
      created_at: debrief.generated_at,
    })
    .onConflict('session_id')
    .ignore()
    .returning('session_id')) as unknown[];
  return inserted.length === 1;
}

/** Puts a document that was scored again in the place of the one before, with the score of its session. */
export async function updateDebrief(transaction: Queryable, debrief: Debrief): Promise<void> {
  const { session_id, overall_score } = debrief;
  await transaction('debriefs')
    .where({ session_id })
    .update({
      document: JSON.stringify(debrief),
      overall_score,
      dimensions: JSON.stringify(storedDimensions(debrief)),
    });
  await transaction('sessions').where({ id: session_id }).update({ overall_score });
}

/** The document with the player's own ratings of now: they may be given, or taken back, after it was written. */
export function withSelfRatings(debrief: Debrief, ratings: Readonly<Record<string, number>> | null): Debrief {
  if (ratings === null) return debrief;
  const dimensions = debrief.dimensions.map((dimension) => ({
    ...dimension,
    self_rating: Object.hasOwn(ratings, dimension.id) ? (ratings[dimension.id] ?? null) : null,
  }));
  return { ...debrief, dimensions };
}

/** What was counted in the last finished talk of the same scenario before this one; null when there is none. */
export async function factsBefore(
  queryable: Queryable,
  session: Pick<SessionRow, 'id' | 'ordinal' | 'scenario_id'>,
): Promise<TalkFacts | null> {
  const row = (await queryable('sessions')
    .join('debriefs', 'debriefs.session_id', 'sessions.id')
    .where('sessions.scenario_id', session.scenario_id)
    .where('sessions.ordinal', '<', session.ordinal)
    .where((finished) =>
      finished
        .whereNot('sessions.ending_type', 'player_exit')
        .orWhere('sessions.player_turn_count', '>=', FINISHED_FROM_LINE),
    )
    .orderBy('sessions.ordinal', 'desc')
    .first('debriefs.document')) as { document: string } | undefined;
  if (row === undefined) return null;
  const facts = TalkFacts.safeParse((JSON.parse(row.document) as { facts?: unknown }).facts);
  return facts.success ? facts.data : null;
}

/** The stored debrief with the player's current ratings; null when there is none. */
export async function findDebrief(queryable: Queryable, sessionId: string): Promise<Debrief | null> {
  const row = (await queryable('debriefs')
    .join('sessions', 'sessions.id', 'debriefs.session_id')
    .where('debriefs.session_id', sessionId)
    .first('debriefs.document', 'sessions.self_ratings')) as
    { document: string; self_ratings: string | null } | undefined;
  if (row === undefined) return null;
  const ratings = row.self_ratings === null ? null : (JSON.parse(row.self_ratings) as Record<string, number>);
  return withSelfRatings(JSON.parse(row.document) as Debrief, ratings);
}
