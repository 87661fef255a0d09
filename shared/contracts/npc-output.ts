import { z } from 'zod';

/** Emotions of a character whose file declares none. */
export const DEFAULT_EMOTIONS = [
  'neutral', 'warm', 'happy', 'amused', 'curious', 'surprised', 'thoughtful', 'hesitant',
  'anxious', 'sad', 'hurt', 'frustrated', 'angry', 'defensive', 'relieved',
] as const; // prettier-ignore

/** What the player sees when the model gave nothing usable (docs/interface.md, What the model answers). */
export const FALLBACK_UTTERANCE = "I'm not sure what to say right now. Could you repeat that?";

/** The flag that session_control.end_session raises for the turn; never part of the model's vocabulary. */
export const NPC_REQUESTS_END = 'npc_requests_end';

export const SafetyAction = z
  .enum(['ok', 'redirect', 'refuse', 'stop', 'stop_with_resource_message'])
  .describe('What is done for safety.');
export type SafetyAction = z.infer<typeof SafetyAction>;

/** What is done about categories that no pack may loosen, by category (docs/interface.md, Safety): they stand in every policy. */
export const GLOBAL_SAFETY_ACTIONS: Readonly<Record<string, SafetyAction>> = {
  minors_romantic_or_sexual: 'stop',
  self_harm_crisis: 'stop_with_resource_message',
};

export const RubricObservation = z.strictObject({
  dimension: z.string().describe('Dimension of the rubric.'),
  delta: z.int().min(-10).max(10).describe('How much the player moved on it in this turn.'),
  note: z.string().max(200).describe('What was seen, in a few words.'),
});
export type RubricObservation = z.infer<typeof RubricObservation>;

/** NPC turn output: what the model must answer. The utterance comes first so that it streams first. */
export const NpcTurnOutput = z
  .strictObject({
    npc_utterance: z.string().min(1).max(1200).describe('What the character says.'),
    npc_emotion: z.string().describe("One of the character's emotions."),
    state_delta: z.record(z.string(), z.int()).describe('Changes of state variables.'),
    event_flags: z.array(z.string()).describe('Flags and moves that this turn raised.'),
    rubric_observations: z.array(RubricObservation).describe('What the player did well or badly in this turn.'),
    safety: z
      .strictObject({ action: SafetyAction, reason: z.string().nullable().describe('Why, unless it is ok.') })
      .describe('What the safety policy asks for.'),
    session_control: z
      .strictObject({
        end_session: z.boolean().describe('Whether the character wants to leave.'),
        reason: z.string().nullable().describe('Why.'),
      })
      .describe('Whether the talk should go on.'),
  })
  .describe('What the model answers for one turn.');
export type NpcTurnOutput = z.infer<typeof NpcTurnOutput>;
