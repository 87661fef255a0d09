import type { Transaction } from '../dialect';

/**
 * Several answers of the character to the same words. `turns` holds the answer that stands; those that were put aside lie
 * in `turn_variants`, each with what the model named in the player's line. Their events stay in `events`, marked.
 */
export async function variants(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.alterTable('turns', (table) => {
    table.integer('variant').notNullable().defaultTo(1);
    table.integer('variants').notNullable().defaultTo(1);
  });
  await transaction.knex.schema.alterTable('events', (table) => {
    table.integer('variant').notNullable().defaultTo(1);
    table.integer('superseded').notNullable().defaultTo(0);
  });
  await transaction.knex.schema.createTable('turn_variants', (table) => {
    table.text('session_id').notNullable().references('id').inTable('sessions').onDelete('CASCADE');
    table.integer('turn_index').notNullable();
    table.integer('variant').notNullable();
    table.text('text');
    table.text('emotion');
    table.integer('used_fallback').notNullable();
    table.text('raw_output');
    table.text('observations');
    table.text('judgement');
    table.text('created_at').notNullable();
    table.primary(['session_id', 'turn_index', 'variant']);
  });
}
