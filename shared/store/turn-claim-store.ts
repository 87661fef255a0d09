import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { answeredRows, changedRows, runText } from './raw-result';
import { Flag, readRow } from './stored-row';

/** A process that says nothing for so long has lost its turns; milliseconds of the database's clock. */
export const CLAIM_LEASE_MS = 10_000;

/** What a process claims before it runs a turn. */
export interface TurnClaim {
  readonly session_id: string;
  /** The Idempotency-Key; null without one. */
  readonly key: string | null;
  /** Tells another text under the same key. */
  readonly text_hash: string;
  /** A process, by a random id. */
  readonly owner: string;
}

/** A claim as others see it. */
export interface HeldClaim extends TurnClaim {
  /** Somebody has overtaken the turn: nothing of it will be stored. */
  readonly cancel: boolean;
  /** Whether its lease has not run out. */
  readonly live: boolean;
}

const HELD = {
  table: 'turn_claims',
  id: ['session_id'],
  shape: z
    .object({
      session_id: z.string(),
      key: z.string().nullable(),
      text_hash: z.string(),
      owner: z.string(),
      cancel: Flag,
      live: Flag,
    })
    .transform((row): HeldClaim => row),
};

/** A claim that stands: its owner may store the turn. */
const STANDS = (clock: string): string => `cancel = 0 and lease_until > ${clock}`;

/**
 * Takes a session for a turn unless somebody has it whose claim stands.
 * @returns false when somebody has, or when there is no such session
 */
export async function takeTurnClaim(transaction: Transaction, claim: TurnClaim): Promise<boolean> {
  const { clock } = transaction.dialect;
  const result = await runText(
    transaction,
    `insert into turn_claims (session_id, key, text_hash, owner, lease_until, cancel)
      select id, ?, ?, ?, ${clock} + ${CLAIM_LEASE_MS}, 0 from sessions where id = ?
      on conflict (session_id) do update set key = excluded.key, text_hash = excluded.text_hash, owner = excluded.owner,
        lease_until = excluded.lease_until, cancel = 0
      where turn_claims.cancel = 1 or turn_claims.lease_until <= ${clock}`,
    [claim.key, claim.text_hash, claim.owner, claim.session_id],
  );
  return changedRows(result) === 1;
}

/** Who has a session, or had it last; null when nobody has. */
export const findTurnClaim = (queryable: Queryable, sessionId: string): Promise<HeldClaim | null> =>
  readRow(queryable, HELD, (knex) =>
    knex.raw(
      `select session_id, key, text_hash, owner, cancel, case when lease_until > ${queryable.dialect.clock} then 1 else 0 end as live
        from turn_claims where session_id = ?`,
      [sessionId],
    ),
  );

/** Prolongs the claims of an owner on these sessions, where they stand. @returns the sessions that it still has */
export async function renewTurnClaims(
  transaction: Transaction,
  owner: string,
  sessionIds: readonly string[],
): Promise<string[]> {
  const { clock } = transaction.dialect;
  const holes = sessionIds.map(() => '?').join(', ');
  const result = await runText(
    transaction,
    `update turn_claims set lease_until = ${clock} + ${CLAIM_LEASE_MS}
      where owner = ? and session_id in (${holes}) and ${STANDS(clock)} returning session_id`,
    [owner, ...sessionIds],
  );
  return z
    .array(z.object({ session_id: z.string() }))
    .parse(answeredRows(result))
    .map((row) => row.session_id);
}

/** In the transaction that stores the turn: gives the claim up. @returns false when it no longer stood: nothing may be stored */
export async function spendTurnClaim(transaction: Transaction, sessionId: string, owner: string): Promise<boolean> {
  const result = await runText(
    transaction,
    `delete from turn_claims where session_id = ? and owner = ? and ${STANDS(transaction.dialect.clock)}`,
    [sessionId, owner],
  );
  return changedRows(result) === 1;
}

/** The turn failed. One that was overtaken stays to be seen as such, with its lease at an end. */
export async function releaseTurnClaim(transaction: Transaction, sessionId: string, owner: string): Promise<void> {
  const whose = 'session_id = ? and owner = ?';
  await runText(transaction, `delete from turn_claims where ${whose} and cancel = 0`, [sessionId, owner]);
  await runText(transaction, `update turn_claims set lease_until = 0 where ${whose}`, [sessionId, owner]);
}

/** Overtakes the turn of a session, or of all: nothing of it will be stored, and the next one may begin at once. */
export async function cancelTurnClaims(transaction: Transaction, sessionId?: string): Promise<void> {
  const claims = transaction.knex('turn_claims').where({ cancel: 0 });
  if (sessionId !== undefined) void claims.where({ session_id: sessionId });
  await claims.update({ cancel: 1 });
}
