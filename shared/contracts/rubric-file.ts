import { z } from 'zod';
import { FilledText, FormatVersionMember, Name, Percent, Text, Texts } from './pack-file-parts';
import { ContentId } from './primitives';
import { Proof } from './scenario-content';
import { Signs } from './signs';

const checkMembers = {
  id: ContentId.describe('Unique in its dimension.'),
  text: FilledText.max(200).describe('What it asks for, as the learner reads it: begins with a verb.'),
  points: z.int().min(1).max(50).describe('1 to 50. Those of all checks of a dimension add up to 50.'),
  move: ContentId.optional().describe('The move that has to be proven.'),
  flag: ContentId.optional().describe('The flag that has to be raised.'),
  without_flag: ContentId.optional().describe('The flag that must not be raised.'),
  signs: Signs.optional().describe('Signs of its own, where no move or flag says it.'),
  by_line: z.int().min(1).max(100).optional().describe('The last line of the player at which it counts.'),
  after_move: ContentId.optional().describe('It counts only from the line of this move on.'),
  proof: Proof.optional().describe('That of the move or flag when left out; signs for signs.'),
};

/** Exactly one of move, flag, without_flag and signs: checked by the rules between members. */
export const CheckFile = z.strictObject(checkMembers).describe('What earns points, and loses them when it was missed.');
export const FaultFile = z.strictObject(checkMembers).describe('What costs points when it happens.');

export const RubricFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    rubric_id: ContentId.describe('Id inside the pack: a-z, 0-9 and _.'),
    title: Name.describe('Name of the rubric.'),
    dimensions: z
      .array(
        z.strictObject({
          id: ContentId.describe('Unique in the rubric.'),
          name: Name.describe('What is practised, in a few words.'),
          description: Text.describe('What it asks for, in a sentence that begins with "You".'),
          scoring: z
            .strictObject({
              low: Text.describe('A weak play.'),
              medium: Text.describe('A middling one.'),
              high: Text.describe('A strong one.'),
            })
            .describe('What a weak, a middling and a strong play look like, in sentences that begin with "You".'),
          weight: z.number().min(0).max(1).optional().describe('1 when left out.'),
          moves: z.array(ContentId).optional().describe('The moves of the scenario that show it.'),
          framework: Text.optional().describe('What is known about this skill, for the learner.'),
          sources: Texts.optional().describe('Where that comes from: author, title, year.'),
          max_delta_per_turn: Percent.optional().describe('10 when left out.'),
          checks: z.array(CheckFile).min(1).optional().describe('Their points add up to 50.'),
          faults: z.array(FaultFile).optional().describe('What costs points when it happens.'),
        }),
      )
      .min(1)
      .describe('What is scored, each by itself.'),
  })
  .describe('rubrics/*.yaml: what is scored.');
export type RubricFile = z.infer<typeof RubricFile>;
