/** What a turn writes, by the bare stand-ins that turns are measured against. */
export interface BareTurns {
  /** Makes a session. @returns its id */
  create(): Promise<string>;
  /** One durable turn: compare-and-swap, two turns, their full-text rows, two events. */
  turn(id: string, text: string, reply: string): Promise<BareAnswer>;
  close(): Promise<void>;
}

export interface BareAnswer {
  readonly turn_count: number;
  readonly reply: string;
}

export const BARE_PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
] as const;

/** Statements that make the tables, one after the other. */
export const BARE_TABLES = [
  `create table sessions (id text primary key, flow_state text, state_vars text, flags text, engine_state text,
    turn_count integer, version integer)`,
  `create table turns (session_id text references sessions(id), turn_index integer, role text, text text, emotion text,
    raw_output text, observations text, created_at text, primary key (session_id, turn_index))`,
  `create table events (id integer primary key autoincrement, session_id text references sessions(id), turn_index integer,
    kind text, payload text, created_at text)`,
  'create index events_session on events (session_id, id)',
  "create virtual table turn_search using fts5(text, tokenize = 'unicode61 remove_diacritics 2')",
  "insert into turn_search(turn_search, rank) values ('secure-delete', 1)",
] as const;

export const BARE_SQL = {
  create: 'insert into sessions values (?, ?, ?, ?, ?, 1, 1)',
  find: 'select * from sessions where id = ?',
  last: 'select * from turns where session_id = ? order by turn_index desc limit 12',
  save: 'update sessions set state_vars = ?, flags = ?, engine_state = ?, turn_count = ?, version = ? where id = ? and version = ?',
  addTurns: 'insert into turns values (?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?)',
  index: 'insert into turn_search(rowid, text) values (?, ?), (?, ?)',
  addEvents:
    'insert into events (session_id, turn_index, kind, payload, created_at) values (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)',
} as const;

const STATE = JSON.stringify({
  trust: 50,
  patience: 75,
  pressure: 25,
  rapport: 50,
  openness: 50,
  objective_progress: 0,
});

type Values = (string | number | null)[];

export const bareId = (count: number): string => `session-${count}-of-the-bare-server`;
export const newBareSession = (id: string): Values => [id, 'PlayerTurnListening', STATE, '[]', STATE];

export interface BareSession {
  readonly turn_count: number;
  readonly version: number;
}

/** The values of a turn's statements. @param firstRow of the two full-text rows */
export function bareTurnValues(id: string, session: BareSession, text: string, reply: string, firstRow: number) {
  const at = new Date().toISOString();
  const { turn_count: count, version } = session;
  const save: Values = [STATE, '[]', STATE, count + 2, version + 1, id, version];
  const addTurns: Values = [
    ...[id, count + 1, 'player', text, null, null, null, at],
    ...[id, count + 2, 'npc', reply, 'neutral', reply, '[]', at],
  ];
  const index: Values = [firstRow, text, firstRow + 1, reply];
  const addEvents: Values = [...[id, count + 2, 'npc_turn', STATE, at], ...[id, count + 2, 'state_delta', STATE, at]];
  return { save, addTurns, index, addEvents };
}
