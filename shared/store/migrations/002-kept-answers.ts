import type { Transaction } from '../dialect';

/**
 * Answers by Idempotency-Key, of operations that create something. And what digests of texts of unsaved sessions there are
 * in `turn_keys` goes: they were keyed with a secret that lies beside them, so that words could be tried against them.
 */
export async function keptAnswers(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.createTable('kept_answers', (table) => {
    table.text('scope').notNullable();
    table.text('key').notNullable();
    table.text('request_digest').notNullable();
    table.integer('status').notNullable();
    table.text('headers').notNullable();
    table.text('body').notNullable();
    table.text('session_id').references('id').inTable('sessions').onDelete('CASCADE');
    table.text('created_at').notNullable();
    table.text('expires_at').notNullable();
    table.primary(['scope', 'key']);
    table.index(['expires_at'], 'kept_answers_expiry');
    table.index(['session_id'], 'kept_answers_session');
  });
  const unsaved = transaction.knex('sessions').where({ transcript_saved: 0 }).select('id');
  await transaction.knex('turn_keys').whereIn('session_id', unsaved).update({ text_hash: '' });
}
