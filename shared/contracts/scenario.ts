import { z } from 'zod';
import { ContentId, PackId, ScenarioId, Timestamp } from './primitives';
import { Difficulty } from './session';
import { SafetyAction } from './npc-output';

/** The six variables that every scenario has (interface, "State variables"): 0 to 100, at most 20 a turn. */
export const BASELINE_VARIABLES = {
  trust: { default: 50, visibility: 'visible', description: 'How far the character trusts the player' },
  patience: { default: 75, visibility: 'visible', description: 'How much the character still puts up with' },
  pressure: { default: 25, visibility: 'hidden', description: 'How much the situation presses on the character' },
  rapport: { default: 50, visibility: 'visible', description: 'How warm the talk is' },
  openness: { default: 50, visibility: 'visible', description: 'How willing the character is to share' },
  objective_progress: { default: 0, visibility: 'visible', description: 'How near the player is to the goal' },
} as const;
export const DEFAULT_MAX_DELTA = 20;

export const Visibility = z.enum(['visible', 'hidden']);

/** A condition (pack format). A `when` list holds when all of its conditions do. */
export const Condition = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('variable_above'), variable: ContentId, threshold: z.number() }),
  z.strictObject({ type: z.literal('variable_below'), variable: ContentId, threshold: z.number() }),
  z.strictObject({ type: z.literal('max_turns'), value: z.int().min(1) }),
  z.strictObject({ type: z.literal('flag'), flag_id: ContentId }),
]);
export type Condition = z.infer<typeof Condition>;

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
  flags: z.record(z.string(), z.string().nullable()).describe("The model's vocabulary but for moves: flag to meaning."),
  moves: z.array(z.object({ id: ContentId, description: z.string(), effect: z.record(z.string(), z.int()) })),
  hints: z.array(z.object({ when: z.array(Condition), text: z.string() })),
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

const NpcCard = z.object({
  id: z.string(),
  name: z.string(),
  portrait_url: z.string().nullable().describe('Path on the API; null when the pack ships no picture.'),
});

export const ScenarioSummary = z
  .object({
    id: ScenarioId,
    pack_id: PackId,
    version: z.int().min(1),
    title: z.string(),
    summary: z.string(),
    skills: Texts,
    difficulty: Difficulty.describe('The preset that is used when none is named.'),
    duration_minutes: z.int().nullable().describe("The author's soft limit or an estimate from max_turns."),
    content_rating: z.enum(['G', 'PG', 'PG-13']),
    npc: NpcCard,
  })
  .describe('A scenario in the catalogue.');
export type ScenarioSummary = z.infer<typeof ScenarioSummary>;

export const ScenarioList = z.object({ scenarios: z.array(ScenarioSummary) });

/** What a player may know of a scenario before playing. Hidden goals and the private persona are not in it. */
export const ScenarioDetail = ScenarioSummary.extend({
  briefing: z.object({
    role: z.string().describe('Who the player is.'),
    brief: z.string().describe('What the player knows.'),
    scene: z.string().nullable().describe('Where it takes place.'),
    max_turns: z.int().describe('How many turns the player has.'),
  }),
  goals: z.array(z.string()).describe('What the player wants.'),
  difficulties: z.array(z.object({ id: Difficulty, label: z.string(), description: z.string() })),
  languages: z.array(z.string()),
  variables: z.array(
    z.object({
      name: z.string(),
      visibility: Visibility,
      default: z.int(),
      min: z.int(),
      max: z.int(),
      max_delta_per_turn: z.int(),
    }),
  ),
  endings: z.array(
    z.object({
      id: z.string().nullable(),
      type: z.enum(['success', 'failure', 'timeout']),
      title: z.string().nullable(),
      description: z.string().describe('In plain words; conditions on hidden variables are not given away.'),
    }),
  ),
  rubric: z.object({
    id: z.string(),
    title: z.string(),
    dimensions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        weight: z.number(),
        scoring: z.object({ low: z.string(), medium: z.string(), high: z.string() }),
        framework: z.string().nullable(),
        sources: Texts,
      }),
    ),
  }),
  portraits: z.record(z.string(), z.string()).describe('URL by emotion.'),
  portrait_alt: z.record(z.string(), z.string()).describe('Alt text by emotion.'),
  warnings: z.array(z.string()).describe('What a player should know before, for example missing pictures.'),
}).describe('A scenario with its briefing.');
export type ScenarioDetail = z.infer<typeof ScenarioDetail>;

export const ScenarioVersions = z.object({
  versions: z
    .array(z.object({ version: z.int().min(1), content_hash: z.string(), created_at: Timestamp, current: z.boolean() }))
    .describe('Newest first.'),
});
