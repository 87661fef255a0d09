import { Debrief, TalkFacts } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import type { SessionRow } from './session-row';
import { FINISHED_FROM_LINE } from './session-store';
import { storedJson } from './stored-json';
import { readRow } from './stored-row';

/** Score of one dimension, kept beside the document so that progress need not read whole documents. */
export const StoredDimension = z.object({
  id: z.string(),
  name: z.string(),
  score: z.number(),
  observed: z.boolean(),
  /** Shared skill that the pack maps it to; missing or null when it names none. */
  skill: z.string().nullable().optional(),
  /** How many checks had a verdict; missing without checks. */
  judged_checks: z.int().optional(),
});
export type StoredDimension = z.infer<typeof StoredDimension>;

const DEBRIEFS = {
  table: 'debriefs',
  id: ['session_id'],
  shape: z.object({
    document: storedJson(Debrief),
    self_ratings: storedJson(z.record(z.string(), z.number())).nullable(),
  }),
};

/** Without what an older debrief does not have, or has in another way. */
const FACTS = {
  table: 'debriefs',
  id: ['session_id'],
  shape: z.object({ document: storedJson(z.object({ facts: TalkFacts.nullable().catch(null) })) }),
};

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
export async function insertDebrief(transaction: Transaction, debrief: Debrief): Promise<boolean> {
  const dimensions = storedDimensions(debrief);
  const inserted = (await transaction
    .knex('debriefs')
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
export async function updateDebrief(transaction: Transaction, debrief: Debrief): Promise<void> {
  const { session_id, overall_score } = debrief;
  await transaction
    .knex('debriefs')
    .where({ session_id })
    .update({
      document: JSON.stringify(debrief),
      overall_score,
      dimensions: JSON.stringify(storedDimensions(debrief)),
    });
  await transaction.knex('sessions').where({ id: session_id }).update({ overall_score });
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
  const row = await readRow(queryable, FACTS, (knex) =>
    knex('sessions')
      .join('debriefs', 'debriefs.session_id', 'sessions.id')
      .where('sessions.scenario_id', session.scenario_id)
      .where('sessions.ordinal', '<', session.ordinal)
      .where((finished) =>
        finished
          .whereNot('sessions.ending_type', 'player_exit')
          .orWhere('sessions.player_turn_count', '>=', FINISHED_FROM_LINE),
      )
      .orderBy('sessions.ordinal', 'desc')
      .limit(1)
      .select('debriefs.session_id', 'debriefs.document'),
  );
  return row?.document.facts ?? null;
}

/** The stored debrief with the player's current ratings; null when there is none. */
export async function findDebrief(queryable: Queryable, sessionId: string): Promise<Debrief | null> {
  const row = await readRow(queryable, DEBRIEFS, (knex) =>
    knex('debriefs')
      .join('sessions', 'sessions.id', 'debriefs.session_id')
      .where('debriefs.session_id', sessionId)
      .select('debriefs.session_id', 'debriefs.document', 'sessions.self_ratings'),
  );
  return row === null ? null : withSelfRatings(row.document, row.self_ratings);
}
