import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { storedJson } from './stored-json';
import { readRow } from './stored-row';

/** An answer that a repeat of its request gets again, by the request's Idempotency-Key. */
export interface KeptAnswerRow {
  readonly scope: string;
  readonly key: string;
  readonly request_digest: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Holds no conversation text. */
  readonly body: unknown;
  readonly created_at: string;
  readonly expires_at: string;
}

const KEPT_ANSWERS = {
  table: 'kept_answers',
  id: ['scope', 'key'],
  shape: z.object({
    scope: z.string(),
    key: z.string(),
    request_digest: z.string(),
    status: z.int(),
    headers: storedJson(z.record(z.string(), z.string())),
    body: storedJson(z.unknown()),
    created_at: z.string(),
    expires_at: z.string(),
  }),
};

const COLUMNS = ['scope', 'key', 'request_digest', 'status', 'headers', 'body', 'created_at', 'expires_at'];

/** What is kept under this key; null when there is nothing, or it has expired at `now`. */
export const findKeptAnswer = (
  queryable: Queryable,
  scope: string,
  key: string,
  now: string,
): Promise<KeptAnswerRow | null> =>
  readRow(queryable, KEPT_ANSWERS, (knex) =>
    knex('kept_answers').where({ scope, key }).where('expires_at', '>', now).select(COLUMNS),
  );

/**
 * Keeps an answer, and deletes those that have expired by then.
 * @param sessionId the session that it tells of, if any: it is deleted with it
 */
export async function insertKeptAnswer(
  transaction: Transaction,
  { headers, body, ...row }: KeptAnswerRow,
  sessionId: string | null = null,
): Promise<void> {
  await transaction.knex('kept_answers').where('expires_at', '<=', row.created_at).delete();
  await transaction.knex('kept_answers').insert({
    ...row,
    headers: JSON.stringify(headers),
    body: JSON.stringify(body),
    session_id: sessionId,
  });
}
