import { z } from 'zod';
import { ScenarioId, Score, SessionId, Timestamp, TurnIndex, VariableValues } from './primitives';

export const DebriefObservation = z.object({
  turn: TurnIndex.describe("The player's turn that was observed."),
  delta: z.int().describe('How the score moved.'),
  note: z.string().nullable().describe('What was seen; null when the text was not kept.'),
});

export const DebriefDimension = z
  .object({
    id: z.string(),
    name: z.string(),
    weight: z.number().min(0).max(1),
    score: Score,
    observed: z.boolean().describe('false: nothing was observed and the score is the baseline.'),
    self_rating: Score.nullable().describe("The player's own rating."),
    observations: z.array(DebriefObservation),
  })
  .describe('One dimension of the rubric with its evidence.');
export type DebriefDimension = z.infer<typeof DebriefDimension>;

export const TurningPoint = z
  .object({
    turn: TurnIndex,
    kind: z.enum(['state_change', 'event_flag', 'safety']),
    description: z.string(),
    deltas: VariableValues,
  })
  .describe('A turn at which the talk took a turn.');
export type TurningPoint = z.infer<typeof TurningPoint>;

export const ReplaySuggestion = z.object({ turn: TurnIndex, suggestion: z.string() });
export type ReplaySuggestion = z.infer<typeof ReplaySuggestion>;

export const Debrief = z
  .object({
    schema_version: z.literal(1),
    session_id: SessionId,
    scenario_id: ScenarioId,
    ending_type: z.enum(['safety_stop', 'player_exit', 'success', 'failure', 'timeout']),
    overall_score: Score,
    used_fallback: z.boolean().describe('Whether the narrative was written without the model.'),
    generated_at: Timestamp,
    model_id: z.string().nullable().describe('The model that wrote the narrative.'),
    dimensions: z.array(DebriefDimension),
    turning_points: z.array(TurningPoint),
    summary: z.string(),
    strengths: z.array(z.string()),
    improvements: z.array(z.string()).describe('At most two.'),
    replay_suggestions: z.array(ReplaySuggestion),
    state_series: z
      .array(z.object({ turn: TurnIndex, state_vars: VariableValues }))
      .describe('The variables after each turn of the character.'),
  })
  .describe('The debrief of a session.');
export type Debrief = z.infer<typeof Debrief>;

/** The narrative part: what the model is asked for. Scores are never taken from it. */
export const DebriefNarrative = z.strictObject({
  summary: z.string().min(1).max(1500),
  strengths: z.array(z.string().min(1).max(400)).max(3),
  improvements: z.array(z.string().min(1).max(400)).max(2),
  replay_suggestions: z.array(z.strictObject({ turn: TurnIndex, suggestion: z.string().min(1).max(400) })).max(3),
});
export type DebriefNarrative = z.infer<typeof DebriefNarrative>;

/** One recap per character and pack; never raw transcript text (interface, "Relationship memory"). */
export const Recap = z
  .object({
    npc_id: z.string(),
    pack_id: z.string(),
    schema_version: z.literal('1'),
    session_count: z.int().min(0),
    last_session_at: Timestamp,
    key_observations: z.array(z.string().max(150)).max(5),
    player_style_tags: z.array(z.string().max(30)).max(3),
    last_outcome: z.string(),
  })
  .describe('What a character remembers of a player.');
export type Recap = z.infer<typeof Recap>;
export const RecapList = z.object({ recaps: z.array(Recap) });
export const DeletedCount = z.object({ deleted: z.int().min(0) });
