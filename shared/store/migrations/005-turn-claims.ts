import type { Transaction } from '../dialect';

/** Which process runs a turn of which session, where several may: at most one row a session, and none while nobody speaks. */
export async function turnClaims(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.createTable('turn_claims', (table) => {
    table.text('session_id').primary().references('id').inTable('sessions').onDelete('CASCADE');
    table.text('key');
    table.text('text_hash').notNullable();
    table.text('owner').notNullable();
    table.bigInteger('lease_until').notNullable();
    table.integer('cancel').notNullable();
  });
}
