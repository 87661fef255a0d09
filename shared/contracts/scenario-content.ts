import { z } from 'zod';
import { Condition } from './condition';
import { ContentId, PackId, ScenarioId } from './primitives';
import { Difficulty } from './session';
import { SafetyAction } from './npc-output';
import { Sign } from './signs';

/** The six variables that every scenario has (docs/interface.md, State variables): 0 to 100, at most 20 a turn. */
export const BASELINE_VARIABLES = {
  trust: { default: 50, visibility: 'visible', description: 'How far the character trusts the player' },
  patience: { default: 75, visibility: 'visible', description: 'How much the character still puts up with' },
  pressure: { default: 25, visibility: 'hidden', description: 'How much the situation presses on the character' },
  rapport: { default: 50, visibility: 'visible', description: 'How warm the talk is' },
  openness: { default: 50, visibility: 'visible', description: 'How willing the character is to share' },
  objective_progress: { default: 0, visibility: 'visible', description: 'How near the player is to the goal' },
} as const;
export const DEFAULT_MAX_DELTA = 20;

export const Visibility = z.enum(['visible', 'hidden']).describe('Whether the page shows the variable.');

export const VariableDefinition = z.object({
  min: z.int(),
  max: z.int(),
  default: z.int(),
  visibility: Visibility,
  max_delta_per_turn: z.int().min(0),
  authored: z
    .boolean()
    .describe("Whether the scenario's own state.variables sets the start: it then wins over presets."),
});
export type VariableDefinition = z.infer<typeof VariableDefinition>;

const Texts = z.array(z.string());

export const Proof = z
  .enum(['signs', 'model', 'both'])
  .describe("What proves a move, a flag or a check: the signs in the player's words, the model, or both together.");
export type Proof = z.infer<typeof Proof>;

/** How a move counts when the player makes it again; halved: each time half of the time before. */
export const MoveRepeat = z.enum(['once', 'halved', 'always']);
export type MoveRepeat = z.infer<typeof MoveRepeat>;

const CompiledFlag = z.object({
  meaning: z.string().nullable().describe('What it means, for the model; null for a flag that only a condition names.'),
  shown: z.string().nullable().describe('What the player reads when it was raised.'),
  signs: z.array(Sign).describe('All must hold in one line of the player.'),
  proof: Proof,
});
export type ScenarioFlag = z.infer<typeof CompiledFlag>;

const CompiledMove = z.object({
  id: ContentId,
  description: z.string(),
  effect: z.record(z.string(), z.int()),
  repeat: MoveRepeat,
  signs: z.array(Sign).describe('All must hold in one line of the player.'),
  proof: Proof,
  exemplars: Texts.describe('Lines of a skilled player.'),
  // Versions that were stored before it mark none.
  asks: z
    .boolean()
    .nullable()
    .default(null)
    .describe('Whether the player asks for what they want by it; null: unsaid.'),
});
export type ScenarioMove = z.infer<typeof CompiledMove>;

/** What a check or a fault looks for: exactly one of move, flag, without_flag and signs is set. */
const CompiledCheck = z.object({
  id: ContentId,
  text: z.string().describe('What it asks for, as the learner reads it.'),
  points: z.int().min(1),
  move: ContentId.nullable(),
  flag: ContentId.nullable(),
  without_flag: ContentId.nullable(),
  signs: z.array(Sign).nullable(),
  by_line: z.int().min(1).nullable().describe('The last line of the player at which it still counts.'),
  after_move: ContentId.nullable().describe('It counts only from the line on which this move was made.'),
  proof: Proof,
});
export type ScenarioCheck = z.infer<typeof CompiledCheck>;

/**
 * A scenario made whole: everything that a session needs, with references resolved and defaults filled in. pack-service
 * makes it from the files of a pack, keeps it by version, and gives it to the other processes; the engine plays it. It
 * holds hidden goals and private persona: it never reaches a player's client.
 */
export const ScenarioContent = z.object({
  id: ScenarioId,
  pack_id: PackId,
  scenario_id: ContentId,
  version: z.int().min(1),
  content_hash: z.string(),
  format_version: z.enum(['0.1', '0.2']).describe('Of the scenario file: what only 0.2 has is judged by its rules.'),
  title: z.string(),
  summary: z.string(),
  skills: Texts,
  content_rating: z.enum(['G', 'PG', 'PG-13']),
  language: z.string().describe('Language of these texts.'),
  languages: z.array(z.string()).describe('Languages that the pack supports; the first is the default.'),
  player_role: z.object({ label: z.string(), brief: z.string() }),
  npc: z.object({
    npc_id: z.string(),
    display_name: z.string(),
    archetype: z.string(),
    occupation: z.string(),
    speaking_style: z.string(),
    demeanor: z.string(),
    hidden_agenda: Texts,
    biases_to_simulate: Texts,
    boundaries: Texts,
    emotions: z.array(z.string()).min(1),
    sample_lines: Texts,
    emotional_triggers: z.array(z.object({ when_player: z.string(), reaction: z.string() })),
    portraits: z.record(z.string(), z.string()).describe('Path in the pack by emotion.'),
    portrait: z.string().nullable().describe('Path in the pack.'),
    alt: z.record(z.string(), z.string()).describe('Alt text by emotion; portrait for the one picture.'),
  }),
  scene: z
    .object({
      scene_id: z.string(),
      display_name: z.string(),
      description: z.string(),
      background: z.string().nullable(),
      ambient: z.string().nullable(),
      alt: z.string().nullable(),
    })
    .nullable(),
  rubric: z.object({
    rubric_id: z.string(),
    title: z.string(),
    dimensions: z
      .array(
        z.object({
          id: ContentId,
          name: z.string(),
          description: z.string(),
          scoring: z.object({ low: z.string(), medium: z.string(), high: z.string() }),
          weight: z.number().min(0).max(1),
          moves: z.array(z.string()),
          framework: z.string().nullable(),
          sources: Texts,
          max_delta_per_turn: z.int().min(0),
          skill: z.string().nullable().describe('Id of a skill that packs share; null when the pack names none.'),
          checks: z.array(CompiledCheck).describe('Empty: scored by the observations of the model.'),
          faults: z.array(CompiledCheck),
        }),
      )
      .min(1),
  }),
  policy: z.object({
    policy_id: z.string(),
    description: z.string().nullable(),
    content_categories: z
      .record(z.string(), SafetyAction)
      .describe('Action by category, in the names of the engine; block is stop.'),
    redirect_message: z.string().nullable(),
    allow_profanity: z.boolean(),
    content_rating_cap: z.enum(['G', 'PG', 'PG-13']),
  }),
  duration: z.object({ max_turns: z.int().min(1).max(100), soft_time_limit_minutes: z.int().nullable() }),
  opening: z.object({ npc_says: z.string(), emotion: z.string() }),
  goals: z.object({ player_visible: Texts, hidden: Texts }),
  variables: z.record(z.string(), VariableDefinition),
  difficulty: z.object({
    declared: z.boolean().describe('Whether the scenario has a difficulty block; without one all four have no effect.'),
    default: Difficulty,
    options: z.partialRecord(
      Difficulty,
      z.object({
        patience: z.int().nullable(),
        volatility: z.int().nullable(),
        disclosure: z.int().nullable(),
        time_pressure: z.int().nullable(),
        label: z.string().nullable(),
        description: z.string().nullable(),
      }),
    ),
  }),
  events: z.array(
    z.object({
      id: ContentId,
      when: z.array(Condition).min(1),
      npc_instruction: z.string(),
      repeat: z.boolean(),
      effects: z.record(z.string(), z.int()),
      narration: z.string().nullable(),
    }),
  ),
  endings: z
    .array(
      z.object({
        id: ContentId.nullable(),
        type: z.enum(['success', 'failure', 'timeout']),
        title: z.string().nullable(),
        when: z.array(Condition).min(1),
        debrief_note: z.string().nullable(),
      }),
    )
    .describe('In the order of the file. timeout at duration.max_turns holds always, listed or not.'),
  flags: z.record(z.string(), CompiledFlag).describe("The model's vocabulary but for moves."),
  moves: z.array(CompiledMove),
  secrets: z.array(
    z.object({
      id: ContentId,
      when: z.array(Condition).min(1),
      text: z.string().describe('What the character may say once the conditions hold.'),
      hint: z.string().nullable().describe('What opens it, for the debrief.'),
    }),
  ),
  npc_knows: z.string().nullable().describe("What the character knows of the player's side."),
  bands: z
    .record(z.string(), z.array(z.object({ below: z.int(), text: z.string() })))
    .describe('What a value means in words: the first whose bound is above it.'),
  demo: z
    .array(
      z.object({
        after: ContentId.nullable().describe('The move or flag of this line, or the event of the turn before.'),
        // Versions that were stored before it have none.
        signs: z.array(Sign).default([]).describe('All must hold in the line of the player.'),
        when: z.array(Condition),
        says: z.string(),
        emotion: z.string().nullable(),
        otherwise: z.boolean(),
      }),
    )
    .describe('Lines of the demo voice.'),
  hints: z.array(z.object({ when: z.array(Condition), text: z.string() })),
  outcome: z
    .array(
      z.object({
        when: z.array(Condition).describe('Empty: always.'),
        ending: ContentId.nullable(),
        text: z.string(),
        quote: ContentId.nullable().describe('The move whose words are quoted.'),
      }),
    )
    // Versions that were stored before it have none.
    .default([])
    .describe('What the letter reads back.'),
  response_style: z.object({
    max_words: z.int().nullable(),
    verbosity: z.enum(['terse', 'moderate', 'verbose']).nullable(),
    formality: z.enum(['casual', 'professional', 'formal']).nullable(),
  }),
  ladder_position: z.enum(['intro', 'practice', 'stretch']).nullable(),
  taught_dimensions: z.array(z.string()),
  tested_dimensions: z.array(z.string()),
  replay_seed: z.int().nullable(),
});
export type ScenarioContent = z.infer<typeof ScenarioContent>;

export const ScenarioContentAnswer = z.object({ content: ScenarioContent });
