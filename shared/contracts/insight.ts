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
    .meta({
      description: "The player's turn; the last one unless named.",
      parameter: { type: 'integer', minimum: 1, maximum: 9999 },
    }),
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

export const CheckSafetyRequest = z
  .strictObject({
    text: z.string().min(1).max(4000).describe('What a player could say.'),
    scenario_id: ScenarioId.optional().describe('Whose policy to apply; only the global rules without it.'),
  })
  .describe('A text to try the input classifier with.');

export type CheckSafetyRequest = z.infer<typeof CheckSafetyRequest>;

export const SafetyCheck = z
  .object({
    action: SafetyAction.describe('What the classifier would have the turn do.'),
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
  ending_type: EndingType.nullable().describe('How it ended; null while it goes on.'),
  ending_id: z.string().nullable().describe("Id of the scenario's ending; null when it has none."),
  player_turn_count: z.int().describe('Turns of the player.'),
  overall_score: Score.nullable().describe('null without a debrief.'),
});

export const Comparison = z
  .object({
    forked_at: TurnIndex.describe('The turn after which the two part.'),
    parent: Side.nullable().describe('null when the original was deleted.'),
    fork: Side.describe('The session that was asked about.'),
    dimensions: z
      .array(
        z.object({
          id: z.string().describe('Id of the dimension in the rubric.'),
          name: z.string().describe('Name of the dimension for people.'),
          parent_score: Score.nullable().describe('null when not observed, or without a debrief.'),
          fork_score: Score.nullable().describe('null when not observed, or without a debrief.'),
          change: z.int().nullable().describe('fork minus parent, where both are known.'),
        }),
      )
      .describe('Scores by dimension of the rubric.'),
    variables: z
      .array(
        z.object({
          name: z.string().describe('Name of the variable.'),
          parent: z.int().nullable().describe('In the original now; null when it was deleted.'),
          fork: z.int().describe('In the fork now.'),
          change: z.int().nullable().describe('fork minus parent, where both are known.'),
        }),
      )
      .describe('All variables, hidden ones included.'),
  })
  .describe('A retry beside its original.');
export type Comparison = z.infer<typeof Comparison>;
