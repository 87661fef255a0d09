import { z } from 'zod';
import { ContentId, TurnIndex } from './primitives';

/** A piece of a player's turn, in UTF-16 offsets into its text. */
export const TextSpan = z
  .object({
    start: z.int().min(0).describe('UTF-16 offset of the first character.'),
    end: z.int().min(1).describe('UTF-16 offset behind the last character.'),
  })
  .describe('Where in the text of the turn it was found.');
export type TextSpan = z.infer<typeof TextSpan>;

const Proven = z.object({
  id: ContentId,
  by: z.enum(['signs', 'model', 'both']).describe('What proved it.'),
  spans: z.array(TextSpan).describe('The words that did it; empty when only the model named it or no text is kept.'),
});
export type Proven = z.infer<typeof Proven>;

/** What can be counted in a line of the player. */
export const LineFacts = z.object({
  words: z.int().min(0),
  questions_open: z.int().min(0),
  questions_closed: z.int().min(0),
  hedges: z.int().min(0),
  apologies: z.int().min(0),
  absolutes: z.int().min(0),
  echoes: z.boolean().describe('Whether it took up what was just said.'),
});
export type LineFacts = z.infer<typeof LineFacts>;

/**
 * What a line of the player showed, settled the moment it was said and stored with its turn. Without a saved transcript
 * the spans are left out: ids and counts say nothing of the words.
 */
export const LineJudgement = z
  .object({
    line: z.int().min(1).describe('Counts the turns of the player from 1.'),
    turn: TurnIndex,
    moves: z.array(Proven),
    flags: z.array(Proven),
    checks: z
      .array(z.object({ dimension: ContentId, check: ContentId, spans: z.array(TextSpan) }))
      .describe('Checks and faults whose own signs held in this line.'),
    stuffed: z.boolean().describe('Everything at once without sentences: it proves nothing.'),
    repeated: z.boolean().describe('Said before: it proves nothing again.'),
    facts: LineFacts,
  })
  .describe('What a line showed.');
export type LineJudgement = z.infer<typeof LineJudgement>;

/** A check as the second reader answered it; only what has a true quotation counts. */
export const CheckOpinion = z.object({
  dimension: ContentId,
  check: ContentId,
  met: z.boolean(),
  turn: TurnIndex.nullable(),
  quote: z.string().nullable(),
  span: TextSpan.nullable(),
});
export type CheckOpinion = z.infer<typeof CheckOpinion>;
