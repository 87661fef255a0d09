import type { Queryable } from './dialect';

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

type Stored = Omit<KeptAnswerRow, 'headers' | 'body'> & { headers: string; body: string };

const COLUMNS = ['scope', 'key', 'request_digest', 'status', 'headers', 'body', 'created_at', 'expires_at'];

/** What is kept under this key; null when there is nothing, or it has expired at `now`. */
export async function findKeptAnswer(
  queryable: Queryable,
  scope: string,
  key: string,
  now: string,
): Promise<KeptAnswerRow | null> {
  const stored = (await queryable('kept_answers')
    .where({ scope, key })
    .where('expires_at', '>', now)
    .first(COLUMNS)) as Stored | undefined;
  if (stored === undefined) return null;
  return {
    ...stored,
    headers: JSON.parse(stored.headers) as Record<string, string>,
    body: JSON.parse(stored.body) as unknown,
  };
}

/**
 * Keeps an answer, and deletes those that have expired by then.
 * @param sessionId the session that it tells of, if any: it is deleted with it
 */
export async function insertKeptAnswer(
  transaction: Queryable,
  { headers, body, ...row }: KeptAnswerRow,
  sessionId: string | null = null,
): Promise<void> {
  await transaction('kept_answers').where('expires_at', '<=', row.created_at).delete();
  await transaction('kept_answers').insert({
    ...row,
    headers: JSON.stringify(headers),
    body: JSON.stringify(body),
    session_id: sessionId,
  });
}
