import path from 'node:path';
import Database from 'better-sqlite3';
import {
  BARE_PRAGMAS,
  BARE_SQL,
  BARE_TABLES,
  bareId,
  bareTurnValues,
  newBareSession,
  type BareAnswer,
  type BareSession,
  type BareTurns,
} from './bare-turns';

/** alone: a transaction a turn. grouped: turns that are ready together share one. */
export type Grouping = 'alone' | 'grouped';

interface Waiting {
  readonly words: readonly [id: string, text: string, reply: string];
  resolve(answer: BareAnswer): void;
}

/** Turns with the driver better-sqlite3 alone and nothing else. */
export function openDriverTurns(folder: string, grouping: Grouping): BareTurns {
  const database = new Database(path.join(folder, `driver-${grouping}.sqlite`));
  for (const pragma of BARE_PRAGMAS) database.pragma(pragma);
  for (const statement of BARE_TABLES) database.exec(statement);
  const create = database.prepare(BARE_SQL.create);
  const find = database.prepare(BARE_SQL.find);
  const last = database.prepare(BARE_SQL.last);
  const save = database.prepare(BARE_SQL.save);
  const addTurns = database.prepare(BARE_SQL.addTurns);
  const index = database.prepare(BARE_SQL.index);
  const addEvents = database.prepare(BARE_SQL.addEvents);
  let sessions = 0;
  let rows = 1;

  const write = (id: string, text: string, reply: string): BareAnswer => {
    const session = find.get(id) as BareSession;
    last.all(id);
    const values = bareTurnValues(id, session, text, reply, rows);
    if (save.run(...values.save).changes !== 1) throw new Error('lost');
    addTurns.run(...values.addTurns);
    index.run(...values.index);
    addEvents.run(...values.addEvents);
    rows += 2;
    return { turn_count: session.turn_count + 2, reply };
  };
  const one = database.transaction(write);
  const all = database.transaction((group: readonly Waiting[]) => group.map(({ words }) => write(...words)));

  let waiting: Waiting[] = [];
  const commit = (): void => {
    const group = waiting;
    waiting = [];
    const answers = all.immediate(group);
    group.forEach(({ resolve }, at) => resolve(answers[at] as BareAnswer));
  };

  return {
    create() {
      const id = bareId((sessions += 1));
      create.run(...newBareSession(id));
      return Promise.resolve(id);
    },
    turn(...words) {
      if (grouping === 'alone') return Promise.resolve(one.immediate(...words));
      return new Promise((resolve) => {
        waiting.push({ words, resolve });
        if (waiting.length === 1) setImmediate(commit);
      });
    },
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}
