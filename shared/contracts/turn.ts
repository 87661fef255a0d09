import { z } from 'zod';
import { Timestamp, TurnIndex } from './primitives';

export const TurnRole = z.enum(['player', 'npc']).describe('Who speaks.');
export type TurnRole = z.infer<typeof TurnRole>;

/** How many answers the character gives to the same words at the most, the first one included. */
export const MAX_VARIANTS = 5;
const Variant = z.int().min(1).max(MAX_VARIANTS);

export const Turn = z
  .object({
    index: TurnIndex,
    role: TurnRole,
    text: z.string().nullable().describe('What was said; null when the text was not kept.'),
    emotion: z.string().nullable().describe("The character's emotion; null for the player."),
    used_fallback: z.boolean().describe('Whether the fallback utterance stands in for the model.'),
    variant: Variant.optional().describe(
      'Only with turns of the character: which of its answers to the same words this is, counted from 1.',
    ),
    variants: Variant.optional().describe('Only with turns of the character: how many answers there are.'),
    created_at: Timestamp,
  })
  .describe('One utterance.');
export type Turn = z.infer<typeof Turn>;

export const TurnVariants = z
  .object({ variants: z.array(Turn).describe('In the order in which they were given.') })
  .describe('All answers of the character in one turn.');
export type TurnVariants = z.infer<typeof TurnVariants>;

export const ChooseVariantRequest = z
  .strictObject({ variant: Variant.describe('Number of the answer.') })
  .describe('Which answer stands.');
