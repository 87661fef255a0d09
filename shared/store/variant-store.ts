import type { LineJudgement } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { Flag, readRows } from './stored-row';
import { ANSWER_COLUMNS, type TurnRow } from './turn-store';

/** One answer of the character, with what it made of the player's line before it. */
export interface AnswerRow {
  readonly turn: TurnRow;
  /** What the player's line showed, with what this answer's model named; null when nobody judged it. */
  readonly judgement: LineJudgement | null;
}

const COLUMNS = [
  'turn_index',
  'variant',
  'text',
  'emotion',
  'used_fallback',
  'raw_output',
  'observations',
  'judgement',
  'created_at',
];

const ANSWER = z.object(ANSWER_COLUMNS);
const ANSWERS = { table: 'turn_variants', id: ['session_id', 'turn_index', 'variant'], shape: ANSWER };
const ANSWERS_AND_STANDING = { ...ANSWERS, shape: ANSWER.extend({ stands: Flag }) };

const answerRow = ({ judgement, ...answer }: z.infer<typeof ANSWER>, variants: number): AnswerRow => ({
  turn: { ...answer, role: 'npc', variants, judgement: null },
  judgement,
});

/** An answer among the others to the same words. */
export interface GivenAnswer extends AnswerRow {
  /** Whether it is the one that the talk goes on from. */
  readonly stands: boolean;
}

// One statement, so that an answer that is just being chosen is seen in one place.
const LIST_ANSWERS = `
  select session_id, ${COLUMNS.join(', ')}, 0 as stands from turn_variants where session_id = ? and turn_index = ?
  union all
  select npc.session_id, ${COLUMNS.map((column) => (column === 'judgement' ? 'player.judgement' : `npc.${column}`)).join(', ')}, 1 as stands
  from turns npc left join turns player on player.session_id = npc.session_id and player.turn_index = npc.turn_index - 1
  where npc.session_id = ? and npc.turn_index = ? and npc.role = 'npc'`;

/** All answers that the character gave in a turn, in the order of their numbers; empty when there is no such turn of it. */
export async function listAnswers(queryable: Queryable, sessionId: string, turn: number): Promise<GivenAnswer[]> {
  const rows = await readRows(queryable, ANSWERS_AND_STANDING, (knex) =>
    knex.raw(LIST_ANSWERS, [sessionId, turn, sessionId, turn]),
  );
  return rows
    .map(({ stands, ...stored }) => ({ ...answerRow(stored, rows.length), stands }))
    .sort((a, b) => a.turn.variant - b.turn.variant);
}

/** Every answer of a session that was put aside, in the order of the turns. @param turns the turns as they stand */
export async function listAside(
  queryable: Queryable,
  sessionId: string,
  turns: readonly TurnRow[],
): Promise<TurnRow[]> {
  const stored = await readRows(queryable, ANSWERS, (knex) =>
    knex('turn_variants')
      .select('session_id', ...COLUMNS)
      .where({ session_id: sessionId })
      .orderBy(['turn_index', 'variant']),
  );
  const counts = new Map(turns.map(({ turn_index, variants }) => [turn_index, variants]));
  return stored.map((row) => answerRow(row, counts.get(row.turn_index) ?? row.variant).turn);
}

const storedAnswer = ({ turn, judgement }: AnswerRow) => ({
  text: turn.text,
  emotion: turn.emotion,
  used_fallback: turn.used_fallback ? 1 : 0,
  raw_output: turn.raw_output,
  observations: turn.observations === null ? null : JSON.stringify(turn.observations),
  variant: turn.variant,
  created_at: turn.created_at,
  judgement: judgement === null ? null : JSON.stringify(judgement),
});

/**
 * Puts one answer in the place of the one that stands, which is put aside; in the full-text index, too. `after.turn.variants`
 * becomes the turn's count.
 * @param before the answer that stands now.
 */
export async function replaceAnswer(
  transaction: Transaction,
  session: { readonly id: string; readonly ordinal: number },
  before: AnswerRow,
  after: AnswerRow,
): Promise<void> {
  const { turn_index: index, text } = after.turn;
  const ofSession = { session_id: session.id };
  await transaction.knex('turn_variants').insert({ ...ofSession, turn_index: index, ...storedAnswer(before) });
  await transaction
    .knex('turn_variants')
    .where({ ...ofSession, turn_index: index, variant: after.turn.variant })
    .delete();
  const { judgement, ...stored } = storedAnswer(after);
  await transaction
    .knex('turns')
    .where({ ...ofSession, turn_index: index })
    .update({ ...stored, variants: after.turn.variants });
  await transaction
    .knex('turns')
    .where({ ...ofSession, turn_index: index - 1 })
    .update({ judgement });
  const dialect = transaction.dialect;
  if (before.turn.text !== null) await dialect.forgetTurn(transaction, session.ordinal, index);
  if (text !== null) await dialect.indexTurns(transaction, session.ordinal, [{ turn_index: index, text }]);
}
