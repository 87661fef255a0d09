import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';

/**
 * What a turn is measured against: a bare HTTP server that does the turn's durable transaction (compare-and-swap, two
 * turns, their full-text rows, two events) with better-sqlite3 alone, in the same settings, and nothing else. Run as a
 * process of its own: `node bare-turn-server.js FOLDER`; it prints its port.
 */
const folder = process.argv[2];
if (folder === undefined) throw new Error('name a folder');
const database = new Database(path.join(folder, 'bare.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');
database.pragma('secure_delete = ON');
database.exec(`
  create table sessions (id text primary key, flow_state text, state_vars text, flags text, engine_state text,
    turn_count integer, version integer);
  create table turns (session_id text references sessions(id), turn_index integer, role text, text text, emotion text,
    raw_output text, observations text, created_at text, primary key (session_id, turn_index));
  create table events (id integer primary key autoincrement, session_id text references sessions(id), turn_index integer,
    kind text, payload text, created_at text);
  create index events_session on events (session_id, id);
  create virtual table turn_search using fts5(text, tokenize = 'unicode61 remove_diacritics 2');
  insert into turn_search(turn_search, rank) values ('secure-delete', 1);
`);
const state = JSON.stringify({
  trust: 50,
  patience: 75,
  pressure: 25,
  rapport: 50,
  openness: 50,
  objective_progress: 0,
});
const create = database.prepare('insert into sessions values (?, ?, ?, ?, ?, 1, 1)');
const find = database.prepare('select * from sessions where id = ?');
const last = database.prepare('select * from turns where session_id = ? order by turn_index desc limit 12');
const save = database.prepare(
  'update sessions set state_vars = ?, flags = ?, engine_state = ?, turn_count = ?, version = ? where id = ? and version = ?',
);
const addTurns = database.prepare('insert into turns values (?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?)');
const index = database.prepare('insert into turn_search(rowid, text) values (?, ?), (?, ?)');
const addEvents = database.prepare(
  'insert into events (session_id, turn_index, kind, payload, created_at) values (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)',
);
let sessions = 0;
let rows = 0;

const turn = database.transaction((id: string, text: string, reply: string) => {
  const session = find.get(id) as { turn_count: number; version: number };
  last.all(id);
  const at = new Date().toISOString();
  const { turn_count: count, version } = session;
  const saved = save.run(state, '[]', state, count + 2, version + 1, id, version);
  if (saved.changes !== 1) throw new Error('lost');
  addTurns.run(
    id,
    count + 1,
    'player',
    text,
    null,
    null,
    null,
    at,
    id,
    count + 2,
    'npc',
    reply,
    'neutral',
    reply,
    '[]',
    at,
  );
  index.run((rows += 1), text, (rows += 1), reply);
  addEvents.run(id, count + 2, 'npc_turn', state, at, id, count + 2, 'state_delta', state, at);
  return { turn_count: count + 2, reply };
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/sessions') {
      const id = `session-${(sessions += 1)}-of-the-bare-server`;
      create.run(id, 'PlayerTurnListening', state, '[]', state);
      response.end(JSON.stringify({ id }));
      return;
    }
    const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
    response.end(JSON.stringify(turn.immediate(request.url?.slice('/turn/'.length) ?? '', text, 'I hear you. Go on.')));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => server.close(() => process.exit(0)));
