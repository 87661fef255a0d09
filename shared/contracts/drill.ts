import { z } from 'zod';
import { TextSpan } from './judgement';
import { Timestamp, TurnIndex } from './primitives';

/** Practice on one line: a moment tried again after the talk, and coaching before a line is said. */

/** The text's own rules are those of a turn. */
const LineText = z.string().describe('What the player would say: 1 to 2000 characters after trimming.');

export const LineCheck = z
  .object({
    id: z.string().describe('Id of the check.'),
    text: z.string().describe('What the check asks for.'),
    verdict: z.enum(['met', 'missed', 'not_judged']).describe('not_judged: only a model can tell.'),
    evidence: TextSpan.nullable().describe('The words that did it, in the text that was tried.'),
  })
  .describe('A check that this line could meet.');
export type LineCheck = z.infer<typeof LineCheck>;

export const TryRequest = z
  .strictObject({
    text: LineText,
    reply: z
      .boolean()
      .optional()
      .describe(
        'Whether the character answers, once; it needs a model. With the words of the last try it uses no other.',
      ),
  })
  .describe('A line to try.');
export type TryRequest = z.infer<typeof TryRequest>;

export const TryAnswer = z
  .object({
    line: z.int().min(1).describe("Which of the player's lines this is; the first is 1."),
    checks: z.array(LineCheck).describe('Those that were open at this moment, and those that this line meets.'),
    moves: z.array(z.string()).describe('Ids of the moves that this line makes.'),
    next: z.string().describe('What to try next.'),
    tries_left: z.int().min(0).describe('Of three at this moment.'),
    npc_text: z.string().nullable().describe('How the character would have answered; null unless asked for.'),
    npc_emotion: z.string().nullable().describe('How the character would have looked; null unless asked for.'),
  })
  .describe('What a line would have done at that moment. It is stored as a drill, no turn and no session.');
export type TryAnswer = z.infer<typeof TryAnswer>;

export const Drill = z
  .object({
    turn: TurnIndex.describe("The player's turn that was tried again."),
    try: z.int().min(1).describe('Counts the tries of this moment from 1.'),
    text: z.string().nullable().describe('What was tried; null when the text was not kept.'),
    checks: z.array(LineCheck).describe('What it did for the checks that were open.'),
    created_at: Timestamp,
  })
  .describe('A line that was tried at a moment of an ended talk.');
export type Drill = z.infer<typeof Drill>;

export const CoachRequest = z.strictObject({ text: LineText }).describe('A line that is not said yet.');

export const CoachAnswer = z
  .object({
    met: z
      .array(
        z.object({
          check: z.string().describe('Id of the check.'),
          text: z.string().describe('What the check asks for.'),
          evidence: TextSpan.nullable().describe('Where in the line it is met; null where no words alone do it.'),
        }),
      )
      .describe('What the line would meet; with the words that do it.'),
    nudges: z
      .array(
        z.object({
          check: z.string().describe('Id of the check or fault.'),
          text: z.string().describe('What the line would lack.'),
        }),
      )
      .max(2)
      .describe('What would help most comes first; empty when the line does what it can.'),
  })
  .describe('Coaching for a line that is not said yet. Nothing is stored.');
export type CoachAnswer = z.infer<typeof CoachAnswer>;
