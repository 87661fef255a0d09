import type { Knex } from 'knex';
import type { Transaction } from '../dialect';

/**
 * Times are ISO text (they sort as they are), JSON is text, booleans are 0 and 1: the same in every database system.
 * Ids that count are as wide as SQLite's everywhere. `sessions.ordinal` is the order in which sessions were made; lists and search go by it, since clocks may go back.
 */
export async function initialTables(transaction: Transaction): Promise<void> {
  await conversationTables(transaction);
  await debriefTables(transaction);
  await packTables(transaction);
  await transaction.dialect.createFullText(transaction);
}

const sessionReference = (table: Knex.CreateTableBuilder) =>
  table.text('session_id').notNullable().references('id').inTable('sessions').onDelete('CASCADE');

async function conversationTables(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.createTable('sessions', (table) => {
    table.bigIncrements('ordinal');
    table.text('id').notNullable().unique();
    table.text('scenario_id').notNullable();
    table.integer('scenario_version').notNullable();
    table.text('scenario_title').notNullable();
    table.text('pack_id').notNullable();
    table.text('npc_id').notNullable();
    table.text('flow_state').notNullable();
    table.text('state_vars').notNullable();
    table.text('flags').notNullable();
    table.text('engine_state').notNullable();
    table.text('ending_type');
    table.text('ending_id');
    table.integer('turn_count').notNullable();
    table.integer('player_turn_count').notNullable();
    table.integer('transcript_saved').notNullable();
    table.text('difficulty').notNullable();
    table.text('language').notNullable();
    table.text('focus_dimension');
    table.text('forked_from_session');
    table.integer('forked_from_turn');
    table.text('attempt').notNullable();
    table.text('fence').notNullable();
    table.integer('version').notNullable();
    table.integer('seq_reserved').notNullable();
    table.integer('overall_score');
    table.text('self_ratings');
    table.text('created_at').notNullable();
    table.text('started_at');
    table.text('ended_at');
    table.index(['scenario_id', 'flow_state', 'ordinal'], 'sessions_scenario_flow');
    table.index(['scenario_id', 'ordinal'], 'sessions_scenario');
    table.index(['flow_state', 'ordinal'], 'sessions_flow');
    table.index(['pack_id', 'flow_state'], 'sessions_pack_flow');
    table.index(['scenario_id', 'ended_at', 'ordinal'], 'sessions_progress');
  });
  await transaction.knex.schema.createTable('turns', (table) => {
    sessionReference(table);
    table.integer('turn_index').notNullable();
    table.text('role').notNullable();
    table.text('text');
    table.text('emotion');
    table.integer('used_fallback').notNullable();
    table.text('raw_output');
    table.text('observations');
    table.text('created_at').notNullable();
    table.primary(['session_id', 'turn_index']);
  });
  await transaction.knex.schema.createTable('events', (table) => {
    table.bigIncrements('id');
    sessionReference(table);
    table.integer('turn_index');
    table.text('kind').notNullable();
    table.text('payload').notNullable();
    table.text('created_at').notNullable();
    table.index(['session_id', 'id'], 'events_session');
  });
  await transaction.knex.schema.createTable('turn_keys', (table) => {
    sessionReference(table);
    table.text('key').notNullable();
    table.text('text_hash').notNullable();
    table.integer('turn_index').notNullable();
    table.text('answer').notNullable();
    table.text('created_at').notNullable();
    table.primary(['session_id', 'key']);
  });
  await transaction.knex.schema.createTable('settings', (table) => {
    table.text('key').primary();
    table.text('value').notNullable();
  });
}

async function debriefTables(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.createTable('jobs', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    sessionReference(table);
    table.text('state').notNullable();
    table.integer('attempts').notNullable();
    table.text('run_after').notNullable();
    table.text('lease_until');
    table.text('lease_owner');
    table.text('last_error');
    table.text('created_at').notNullable();
    table.unique(['kind', 'session_id']);
    table.index(['state', 'run_after'], 'jobs_claim');
    table.index(['session_id'], 'jobs_session');
  });
  await transaction.knex.schema.createTable('debriefs', (table) => {
    table.text('session_id').primary().references('id').inTable('sessions').onDelete('CASCADE');
    table.text('document').notNullable();
    table.integer('overall_score').notNullable();
    table.text('dimensions').notNullable();
    table.text('created_at').notNullable();
  });
  await transaction.knex.schema.createTable('recaps', (table) => {
    table.text('npc_id').notNullable();
    table.text('pack_id').notNullable();
    table.text('document').notNullable();
    table.text('updated_at').notNullable();
    table.primary(['npc_id', 'pack_id']);
  });
}

async function packTables(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.createTable('packs', (table) => {
    table.text('pack_id').primary();
    table.text('name').notNullable();
    table.text('version').notNullable();
    table.text('author').notNullable();
    table.text('license').notNullable();
    table.text('description').notNullable();
    table.text('content_rating').notNullable();
    table.integer('built_in').notNullable();
    table.text('installed_at').notNullable();
    table.text('folder').notNullable();
    table.text('content_hash').notNullable();
    table.text('manifest').notNullable();
    table.text('findings').notNullable();
    table.text('inventory').notNullable();
  });
  await transaction.knex.schema.createTable('scenarios', (table) => {
    table.text('id').primary();
    table.text('pack_id').notNullable();
    table.integer('current_version').notNullable();
    table.text('title').notNullable();
    table.integer('position').notNullable();
    table.integer('removed').notNullable();
    table.index(['pack_id', 'position'], 'scenarios_pack');
  });
  await transaction.knex.schema.createTable('scenario_versions', (table) => {
    table.text('id').notNullable();
    table.integer('version').notNullable();
    table.text('content_hash').notNullable();
    table.text('content').notNullable();
    table.text('created_at').notNullable();
    table.primary(['id', 'version']);
  });
}
