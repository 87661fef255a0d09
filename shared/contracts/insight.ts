import { z } from 'zod';
import { ScenarioId, Score, SessionId, TurnIndex } from './primitives';
import { ChatMessage } from './runtime';
import { SafetyAction } from './npc-output';
import { EndingType, FlowState } from './session';

/** What an author or a learner looks into: prompts, the safety classifier, a retry beside its original. */

export const DebugPromptQuery = z.object({
  turn: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, "must be the number of one of the player's turns")
    .transform(Number)
    .optional()
    .describe("The player's turn; the last one unless named."),
});

export const DebugPrompt = z
  .object({
    session_id: SessionId,
    turn: TurnIndex.describe("The player's turn that the prompt asks about."),
    messages: z.array(ChatMessage).describe('As the runtime gets them.'),
    max_tokens: z.int().describe('Room for the answer.'),
    context_length: z.int().nullable().describe('Of the model that plays now; null when unknown.'),
    estimated_tokens: z.int().describe('Of the whole prompt, on the safe side.'),
    dropped_turns: z.int().describe('Turns of the window that the budget left no room for.'),
    static_length: z.int().describe('Characters at the start that are the same on every turn of the session.'),
    json_schema: z.record(z.string(), z.unknown()).describe('The schema that goes with it.'),
  })
  .describe('The prompt of a turn, built again from what is stored.');
export type DebugPrompt = z.infer<typeof DebugPrompt>;

export const CheckSafetyRequest = z.strictObject({
  text: z.string().min(1).max(4000).describe('What a player could say.'),
  scenario_id: ScenarioId.optional().describe('Whose policy to apply; only the global rules without it.'),
});

export type CheckSafetyRequest = z.infer<typeof CheckSafetyRequest>;

export const SafetyCheck = z
  .object({
    action: SafetyAction,
    category: z.string().nullable().describe('The category of the rule; null when all is well.'),
    reason: z.string().nullable().describe('In one sentence, without any of the text.'),
    redirect_text: z.string().nullable().describe('What the character would say instead.'),
    resource_text: z.string().nullable().describe('Where to find help; only with stop_with_resource_message.'),
    enforced: z.boolean().describe('Whether the classifier is connected to the turns of this set.'),
  })
  .describe('What the input classifier says. Nothing is stored.');
export type SafetyCheck = z.infer<typeof SafetyCheck>;

const Side = z.object({
  session_id: SessionId,
  flow_state: FlowState,
  ending_type: EndingType.nullable(),
  ending_id: z.string().nullable(),
  player_turn_count: z.int(),
  overall_score: Score.nullable().describe('null without a debrief.'),
});

export const Comparison = z
  .object({
    forked_at: TurnIndex.describe('The turn after which the two part.'),
    parent: Side.nullable().describe('null when the original was deleted.'),
    fork: Side,
    dimensions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        parent_score: Score.nullable().describe('null when not observed, or without a debrief.'),
        fork_score: Score.nullable(),
        change: z.int().nullable().describe('fork minus parent, where both are known.'),
      }),
    ),
    variables: z.array(
      z.object({
        name: z.string(),
        parent: z.int().nullable(),
        fork: z.int(),
        change: z.int().nullable(),
      }),
    ),
  })
  .describe('A retry beside its original.');
export type Comparison = z.infer<typeof Comparison>;
