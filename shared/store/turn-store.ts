import { LineJudgement, RubricObservation, TurnRole, type Turn } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { inBatches, runText } from './raw-result';
import { storedJson } from './stored-json';
import { Flag, readRow, readRows } from './stored-row';

/** An observation as it is kept: without its note when the transcript is not saved. */
const StoredObservation = z.object({ ...RubricObservation.shape, note: z.string().nullable() });
type StoredObservation = z.infer<typeof StoredObservation>;

export interface TurnRow {
  /** Counts both roles from 1; the opening is 1. */
  readonly turn_index: number;
  readonly role: TurnRole;
  /** null when the transcript is not saved. */
  readonly text: string | null;
  readonly emotion: string | null;
  readonly used_fallback: boolean;
  /** What the model answered, with an NPC turn; null when the transcript is not saved. */
  readonly raw_output: string | null;
  /** With an NPC turn: what was observed in the player's turn before it. */
  readonly observations: readonly StoredObservation[] | null;
  /** With a turn of the player: what the line showed. null with the character's, and before lines were judged. */
  readonly judgement: LineJudgement | null;
  /** Which answer to the same words stands, counted from 1; 1 for the player. */
  readonly variant: number;
  /** How many answers there are. */
  readonly variants: number;
  readonly created_at: string;
}

/** A turn that is said for the first time: its answer is the first and only one. */
export type NewTurn = Omit<TurnRow, 'variant' | 'variants'>;

const COLUMNS = [
  'turn_index',
  'role',
  'text',
  'emotion',
  'used_fallback',
  'raw_output',
  'observations',
  'judgement',
  'created_at',
];
const READ_COLUMNS = [...COLUMNS, 'variant', 'variants'];

/** What an answer of the character and a turn have in common. */
export const ANSWER_COLUMNS = {
  turn_index: z.int(),
  text: z.string().nullable(),
  emotion: z.string().nullable(),
  used_fallback: Flag,
  raw_output: z.string().nullable(),
  observations: storedJson(z.array(StoredObservation)).nullable(),
  judgement: storedJson(LineJudgement).nullable(),
  variant: z.int(),
  created_at: z.string(),
};

const TURNS = {
  table: 'turns',
  id: ['session_id', 'turn_index'],
  shape: z
    .object({ session_id: z.string(), ...ANSWER_COLUMNS, role: TurnRole, variants: z.int() })
    .transform(({ session_id: _session, ...turn }): TurnRow => turn),
};

/** The turn as answers hold it. */
export const toTurn = (row: TurnRow): Turn => ({
  index: row.turn_index,
  role: row.role,
  text: row.text,
  emotion: row.emotion,
  used_fallback: row.used_fallback,
  ...(row.role === 'npc' ? { variant: row.variant, variants: row.variants } : {}),
  created_at: row.created_at,
});

/** Inserts turns, those of one exchange in one statement. An index that is taken rejects. */
export async function appendTurns(
  transaction: Transaction,
  sessionId: string,
  turns: readonly NewTurn[],
): Promise<void> {
  for (const batch of inBatches(turns)) {
    const holes = batch.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1)').join(', ');
    const values = batch.flatMap((turn) => [
      sessionId,
      turn.turn_index,
      turn.role,
      turn.text,
      turn.emotion,
      turn.used_fallback ? 1 : 0,
      turn.raw_output,
      turn.observations === null ? null : JSON.stringify(turn.observations),
      turn.judgement === null ? null : JSON.stringify(turn.judgement),
      turn.created_at,
    ]);
    await runText(transaction, `insert into turns (session_id, ${READ_COLUMNS.join(', ')}) values ${holes}`, values);
  }
}

/** Puts the text of saved turns into the full-text index, in the transaction that stores them. */
export async function indexTurns(
  transaction: Transaction,
  session: { readonly ordinal: number },
  turns: readonly NewTurn[],
): Promise<void> {
  const texts = turns.flatMap(({ turn_index, text }) => (text === null ? [] : [{ turn_index, text }]));
  for (const batch of inBatches(texts)) await transaction.dialect.indexTurns(transaction, session.ordinal, batch);
}

export interface TurnRange {
  /** Only the last so many. */
  readonly last?: number;
  /** Only turns with this index or a later one. */
  readonly from?: number;
  /** Only turns with this index or an earlier one. */
  readonly upTo?: number;
}

/** Turns of a session, oldest first. */
export async function listTurns(queryable: Queryable, sessionId: string, range: TurnRange = {}): Promise<TurnRow[]> {
  const rows = await readRows(queryable, TURNS, (knex) => {
    const query = knex('turns')
      .select('session_id', ...READ_COLUMNS)
      .where({ session_id: sessionId });
    if (range.from !== undefined) void query.where('turn_index', '>=', range.from);
    if (range.upTo !== undefined) void query.where('turn_index', '<=', range.upTo);
    return range.last === undefined
      ? query.orderBy('turn_index')
      : query.orderBy('turn_index', 'desc').limit(range.last);
  });
  return range.last === undefined ? rows : rows.reverse();
}

/** What was said in a turn and by whom. */
export type SpokenTurn = Pick<TurnRow, 'turn_index' | 'role' | 'text'>;

const SPOKEN = {
  table: 'turns',
  id: ['session_id', 'turn_index'],
  shape: z.object({ turn_index: z.int(), role: TurnRole, text: z.string().nullable() }),
};

const LAST_SPOKEN =
  'select session_id, turn_index, role, text from turns where session_id = ? order by turn_index desc limit ?';

/** What was said in the last turns of a session, oldest first: what a prompt is made of, without what the model answered. */
export async function lastSpoken(queryable: Queryable, sessionId: string, count: number): Promise<SpokenTurn[]> {
  return (await readRows(queryable, SPOKEN, (knex) => knex.raw(LAST_SPOKEN, [sessionId, count]))).reverse();
}

/** One turn; null when there is none with this index. */
export async function findTurn(queryable: Queryable, sessionId: string, index: number): Promise<TurnRow | null> {
  return (await listTurns(queryable, sessionId, { from: index, upTo: index }))[0] ?? null;
}

/** What an Idempotency-Key stands for: enough to answer a repeat as the first call was answered, and no text. */
export interface TurnKey {
  readonly key: string;
  /** What the caller tells another text by; the text itself is never kept here. */
  readonly text_hash: string;
  /** Index of the player's turn. */
  readonly turn_index: number;
  /** JSON that rebuilds the answer, made by the caller; holds no conversation text. */
  readonly answer: unknown;
}

const TURN_KEYS = {
  table: 'turn_keys',
  id: ['session_id', 'key'],
  shape: z.object({
    key: z.string(),
    text_hash: z.string(),
    turn_index: z.int(),
    answer: storedJson(z.unknown()),
  }),
};

const FIND_TURN_KEY =
  'select session_id, key, text_hash, turn_index, answer from turn_keys where session_id = ? and key = ?';

export const findTurnKey = (queryable: Queryable, sessionId: string, key: string): Promise<TurnKey | null> =>
  readRow(queryable, TURN_KEYS, (knex) => knex.raw(FIND_TURN_KEY, [sessionId, key]));

export async function insertTurnKey(
  transaction: Transaction,
  sessionId: string,
  turnKey: TurnKey,
  createdAt: string,
): Promise<void> {
  await runText(
    transaction,
    'insert into turn_keys (session_id, key, text_hash, turn_index, answer, created_at) values (?, ?, ?, ?, ?, ?)',
    [sessionId, turnKey.key, turnKey.text_hash, turnKey.turn_index, JSON.stringify(turnKey.answer), createdAt],
  );
}
