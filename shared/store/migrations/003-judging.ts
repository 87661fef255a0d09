import type { Transaction } from '../dialect';

/**
 * What judging stores: the judgement of a line with its turn, coaching, and drills: a
 * moment that was tried again. Scenarios that were compiled before get the members that the engine now reads, with the meaning that
 * they had: no checks, nothing proven by signs.
 */
export async function judging(transaction: Transaction): Promise<void> {
  await transaction.knex.schema.alterTable('turns', (table) => {
    table.text('judgement');
  });
  await transaction.knex.schema.alterTable('sessions', (table) => {
    table.integer('coaching').notNullable().defaultTo(0);
  });
  await transaction.knex.schema.createTable('drills', (table) => {
    table.bigIncrements('id');
    table.text('session_id').notNullable().references('id').inTable('sessions').onDelete('CASCADE');
    table.integer('turn_index').notNullable();
    table.integer('try').notNullable();
    table.text('text');
    table.text('checks').notNullable();
    table.text('created_at').notNullable();
    table.unique(['session_id', 'turn_index', 'try']);
  });
  await mendScenarios(transaction);
}

interface OldContent {
  format_version?: string;
  rubric: { dimensions: Record<string, unknown>[] };
  flags: Record<string, unknown>;
  moves: Record<string, unknown>[];
}

/** A few versions of a few scenarios: read and written one after the other. */
async function mendScenarios(transaction: Transaction): Promise<void> {
  const rows = (await transaction.knex('scenario_versions').select('id', 'version')) as {
    id: string;
    version: number;
  }[];
  for (const { id, version } of rows) {
    const row = (await transaction.knex('scenario_versions').where({ id, version }).first('content')) as {
      content: string;
    };
    const content = JSON.parse(row.content) as OldContent;
    if (content.format_version !== undefined) continue;
    const mended = {
      ...content,
      // Before this only format 0.2 had moves or flags with a meaning; without them both formats play alike.
      format_version: content.moves.length > 0 || Object.keys(content.flags).length > 0 ? '0.2' : '0.1',
      rubric: {
        ...content.rubric,
        dimensions: content.rubric.dimensions.map((one) => ({ ...one, skill: null, checks: [], faults: [] })),
      },
      flags: Object.fromEntries(
        Object.entries(content.flags).map(([flag, meaning]) => [
          flag,
          { meaning, shown: null, signs: [], proof: 'model' },
        ]),
      ),
      moves: content.moves.map((move) => ({ ...move, repeat: 'halved', signs: [], proof: 'model', exemplars: [] })),
      secrets: [],
      npc_knows: null,
      bands: {},
      demo: [],
    };
    await transaction
      .knex('scenario_versions')
      .where({ id, version })
      .update({ content: JSON.stringify(mended) });
  }
}
