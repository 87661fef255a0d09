import { createRequire } from 'node:module';
import path from 'node:path';
import knexFactory from 'knex';
import {
  BARE_PRAGMAS,
  BARE_SQL,
  BARE_TABLES,
  bareId,
  bareTurnValues,
  newBareSession,
  type BareSession,
  type BareTurns,
} from './bare-turns';

/** knex's name of the driver; the first is archived, so Parley does not install it. */
export type KnexDriver = 'sqlite3' | 'better-sqlite3';

/**
 * sqlite3 where it can be loaded, its stand-in otherwise. To measure with it: `npm install --prefix FOLDER sqlite3@6.0.1`,
 * then run the bench with NODE_PATH=FOLDER/node_modules.
 */
export function knexDriver(): KnexDriver {
  try {
    createRequire(__filename)('sqlite3');
    return 'sqlite3';
  } catch {
    return 'better-sqlite3';
  }
}

/** Turns with knex, a transaction each, as a service does that thinks no further. */
export async function openKnexTurns(folder: string): Promise<BareTurns> {
  const driver = knexDriver();
  const knex = knexFactory({
    client: driver,
    connection: { filename: path.join(folder, 'knex.sqlite') },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
    acquireConnectionTimeout: 60_000,
  });
  for (const pragma of BARE_PRAGMAS) await knex.raw(`pragma ${pragma}`);
  for (const statement of BARE_TABLES) await knex.raw(statement);
  let sessions = 0;
  let rows = 1;
  return {
    async create() {
      const id = bareId((sessions += 1));
      await knex.raw(BARE_SQL.create, newBareSession(id) as string[]);
      return id;
    },
    turn: (id, text, reply) =>
      knex.transaction(async (transaction) => {
        const [session] = (await transaction.raw(BARE_SQL.find, [id])) as BareSession[];
        if (session === undefined) throw new Error(`there is no session ${id}`);
        await transaction.raw(BARE_SQL.last, [id]);
        const firstRow = rows;
        rows += 2;
        const values = bareTurnValues(id, session, text, reply, firstRow);
        await transaction.raw(BARE_SQL.save, values.save as string[]);
        await transaction.raw(BARE_SQL.addTurns, values.addTurns as string[]);
        await transaction.raw(BARE_SQL.index, values.index as string[]);
        await transaction.raw(BARE_SQL.addEvents, values.addEvents as string[]);
        return { turn_count: session.turn_count + 2, reply };
      }),
    close: () => knex.destroy(),
  };
}
