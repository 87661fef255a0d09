import type { LineJudgement } from '@parley/shared/contracts';
import { dialectOf, type Queryable } from './dialect';
import { answeredRows, runText } from './raw-result';
import { parseTurn, type StoredTurn, type TurnRow } from './turn-store';

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

const parseAnswer = (stored: Omit<StoredTurn, 'role' | 'variants'>, variants: number): AnswerRow => {
  const { judgement, ...turn } = parseTurn({ ...stored, role: 'npc', variants });
  return { turn: { ...turn, judgement: null }, judgement };
};

/** An answer among the others to the same words. */
export interface GivenAnswer extends AnswerRow {
  /** Whether it is the one that the talk goes on from. */
  readonly stands: boolean;
}

// One statement, so that an answer that is just being chosen is seen in one place.
const LIST_ANSWERS = `
  select ${COLUMNS.join(', ')}, 0 as stands from turn_variants where session_id = ? and turn_index = ?
  union all
  select ${COLUMNS.map((column) => (column === 'judgement' ? 'player.judgement' : `npc.${column}`)).join(', ')}, 1 as stands
  from turns npc left join turns player on player.session_id = npc.session_id and player.turn_index = npc.turn_index - 1
  where npc.session_id = ? and npc.turn_index = ? and npc.role = 'npc'`;

/** All answers that the character gave in a turn, in the order of their numbers; empty when there is no such turn of it. */
export async function listAnswers(queryable: Queryable, sessionId: string, turn: number): Promise<GivenAnswer[]> {
  const result = await runText(queryable, LIST_ANSWERS, [sessionId, turn, sessionId, turn]);
  const rows = answeredRows<StoredTurn & { stands: number }>(result);
  return rows
    .map(({ stands, ...stored }) => ({ ...parseAnswer(stored, rows.length), stands: stands === 1 }))
    .sort((a, b) => a.turn.variant - b.turn.variant);
}

/** Every answer of a session that was put aside, in the order of the turns. @param turns the turns as they stand */
export async function listAside(
  queryable: Queryable,
  sessionId: string,
  turns: readonly TurnRow[],
): Promise<TurnRow[]> {
  const stored = (await queryable('turn_variants')
    .select(COLUMNS)
    .where({ session_id: sessionId })
    .orderBy(['turn_index', 'variant'])) as StoredTurn[];
  const counts = new Map(turns.map(({ turn_index, variants }) => [turn_index, variants]));
  return stored.map((row) => parseAnswer(row, counts.get(row.turn_index) ?? row.variant).turn);
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
  transaction: Queryable,
  session: { readonly id: string; readonly ordinal: number },
  before: AnswerRow,
  after: AnswerRow,
): Promise<void> {
  const { turn_index: index, text } = after.turn;
  const ofSession = { session_id: session.id };
  await transaction('turn_variants').insert({ ...ofSession, turn_index: index, ...storedAnswer(before) });
  await transaction('turn_variants')
    .where({ ...ofSession, turn_index: index, variant: after.turn.variant })
    .delete();
  const { judgement, ...stored } = storedAnswer(after);
  await transaction('turns')
    .where({ ...ofSession, turn_index: index })
    .update({ ...stored, variants: after.turn.variants });
  await transaction('turns')
    .where({ ...ofSession, turn_index: index - 1 })
    .update({ judgement });
  const dialect = dialectOf(transaction);
  if (before.turn.text !== null) await dialect.forgetTurn(transaction, session.ordinal, index);
  if (text !== null) await dialect.indexTurns(transaction, session.ordinal, [{ turn_index: index, text }]);
}
