import { z } from 'zod';
import { Timestamp, TurnIndex } from './primitives';

export const TurnRole = z.enum(['player', 'npc']).describe('Who speaks.');
export type TurnRole = z.infer<typeof TurnRole>;

export const Turn = z
  .object({
    index: TurnIndex,
    role: TurnRole,
    text: z.string().nullable().describe('What was said; null when the text was not kept.'),
    emotion: z.string().nullable().describe("The character's emotion; null for the player."),
    used_fallback: z.boolean().describe('Whether the fallback utterance stands in for the model.'),
    created_at: Timestamp,
  })
  .describe('One utterance.');
export type Turn = z.infer<typeof Turn>;
