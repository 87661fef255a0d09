import { z } from 'zod';
import { NpcTurnOutput } from './npc-output';
import { ContentRating } from './pack';
import { FormatVersionMember, Text, FilledText, Texts, Name, RelativePath, License, Percent } from './pack-file-parts';
import { ContentId, PackId } from './primitives';
import { Proof } from './scenario';
import { ScenarioFile } from './scenario-file';
import { Difficulty } from './session';
import { Signs } from './signs';
import { SkillId } from './skills';

/**
 * The YAML files of a pack, one schema a kind. A schema holds the members of both format versions; which ones only 0.2
 * has is in `ADDED_IN_0_2`. Rules between members or files (references, bounds, ratings) are no part of the schemas:
 * they are separate functions of pack-service, so that the JSON Schemas generated from here say the same as the code.
 */

export const ManifestFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    pack_id: PackId,
    name: Name,
    version: z
      .string()
      .max(40)
      .regex(/^\d+\.\d+\.\d+$/, 'must be three numbers, such as 1.0.0')
      .describe('x.y.z'),
    description: z.string().max(500),
    author: Text,
    license: License.describe('SPDX id, for example CC-BY-4.0.'),
    content_rating: ContentRating,
    tags: z
      .array(
        z
          .string()
          .max(64)
          .regex(/^[a-z0-9_-]+$/, 'must be of a-z, 0-9, _ and -'),
      )
      .optional(),
    supported_languages: z
      .array(z.string().regex(/^[a-z]{2,3}$/, 'must be a language of two or three letters, such as en'))
      .optional()
      .describe('The first is the default.'),
    requirements: z.strictObject({ min_app_version: Text.optional(), recommended_llm: Texts.optional() }).optional(),
    entry_scenarios: z
      .array(RelativePath)
      .min(1)
      .optional()
      .describe("Paths from the pack's root, in the order in which they are listed; left out: all, by name."),
    assets: z.strictObject({ allow_external_urls: z.literal(false).optional() }).optional(),
    safety: z.strictObject({ policy: RelativePath.describe("Path from the pack's root.") }),
    skills: z
      .record(ContentId, SkillId)
      .optional()
      .describe('The shared skill that a dimension practises, by the id of the dimension.'),
    credits: z.array(z.strictObject({ asset: RelativePath, by: FilledText, license: License })).optional(),
  })
  .describe('manifest.yaml: what the pack is.');
export type ManifestFile = z.infer<typeof ManifestFile>;

export const NpcFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    npc_id: ContentId,
    display_name: Name,
    archetype: ContentId,
    fictional: z.literal(true),
    age_band: z.literal('adult'),
    voice: z
      .strictObject({ engine: z.enum(['kokoro', 'sherpa-onnx', 'none']).optional(), voice_id: Text.optional() })
      .optional()
      .describe('Kept and unused: voice is reserved.'),
    portrait: RelativePath.optional().describe("Path from the pack's root."),
    public_persona: z.strictObject({ occupation: Text, speaking_style: Text, demeanor: Text }),
    private_persona: z.strictObject({
      hidden_agenda: Texts.optional(),
      biases_to_simulate: Texts.optional(),
      boundaries: Texts.optional(),
    }),
    portraits: z.record(ContentId, RelativePath).optional().describe('Path by emotion.'),
    alt: z.record(ContentId, Text).optional().describe('Alt text by emotion, or by `portrait` for the one picture.'),
    emotions: z.array(ContentId).min(1).optional(),
    sample_lines: Texts.optional(),
    emotional_triggers: z.array(z.strictObject({ when_player: FilledText, reaction: FilledText })).optional(),
  })
  .describe('npcs/*.yaml: a character.');
export type NpcFile = z.infer<typeof NpcFile>;

const checkMembers = {
  id: ContentId,
  text: FilledText.max(200).describe('What it asks for, as the learner reads it: begins with a verb.'),
  points: z.int().min(1).max(50),
  move: ContentId.optional().describe('The move that has to be proven.'),
  flag: ContentId.optional().describe('The flag that has to be raised.'),
  without_flag: ContentId.optional().describe('The flag that must not be raised.'),
  signs: Signs.optional(),
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
    rubric_id: ContentId,
    title: Name,
    dimensions: z
      .array(
        z.strictObject({
          id: ContentId,
          name: Name,
          description: Text,
          scoring: z.strictObject({ low: Text, medium: Text, high: Text }),
          weight: z.number().min(0).max(1).optional().describe('1 when left out.'),
          moves: z.array(ContentId).optional(),
          framework: Text.optional(),
          sources: Texts.optional(),
          max_delta_per_turn: Percent.optional().describe('10 when left out.'),
          checks: z.array(CheckFile).min(1).optional().describe('Their points add up to 50.'),
          faults: z.array(FaultFile).optional(),
        }),
      )
      .min(1),
  })
  .describe('rubrics/*.yaml: what is scored.');
export type RubricFile = z.infer<typeof RubricFile>;

/** Which actions a policy may name for which category. The last five are older names of 0.1. */
const ContentCategories = z.strictObject({
  nsfw_sexual_content: z.enum(['stop', 'redirect']).optional(),
  minors_romantic_or_sexual: z.enum(['stop']).optional(),
  real_person_impersonation: z.enum(['stop', 'redirect', 'refuse', 'block']).optional(),
  voice_cloning_request: z.enum(['refuse', 'stop']).optional(),
  medical_or_therapy_claim: z.enum(['redirect', 'refuse']).optional(),
  legal_claim: z.enum(['redirect', 'refuse']).optional(),
  criminal_instruction: z.enum(['refuse', 'stop']).optional(),
  harassment_extreme: z.enum(['redirect', 'refuse', 'stop']).optional(),
  self_harm_crisis: z.enum(['stop_with_resource_message']).optional(),
  nsfw_sexual: z.enum(['block']).optional(),
  violence_graphic: z.enum(['block', 'redirect']).optional(),
  instructional_criminal: z.enum(['block']).optional(),
  medical_professional_advice: z.enum(['block', 'redirect']).optional(),
  crisis_content: z.enum(['redirect']).optional(),
});

export const SafetyFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    policy_id: ContentId,
    description: Text.optional(),
    content_categories: ContentCategories,
    redirect_message: Text.optional(),
    allow_profanity: z.boolean().optional(),
    content_rating_cap: ContentRating,
  })
  .describe('safety/*.yaml: a policy.');
export type SafetyFile = z.infer<typeof SafetyFile>;

export const SceneFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    scene_id: ContentId,
    display_name: Name,
    description: z.string().max(2000),
    background: RelativePath.optional().describe("Path from the pack's root."),
    ambient: ContentId.optional(),
    alt: Text.optional().describe('Alt text of the background.'),
  })
  .describe('scenes/*.yaml: a place.');
export type SceneFile = z.infer<typeof SceneFile>;

const TurnExpectation = z.strictObject({
  state_delta_contains: Texts.optional(),
  npc_emotion_not: z.union([Text, Texts]).optional(),
  session_control: z.enum(['continue_session', 'end_session']).optional(),
  safety_status: z.enum(['ok', 'redirect', 'stop']).optional(),
  state_vars: z.record(ContentId, z.int()).optional(),
  flags: z.array(ContentId).optional(),
  events: z.array(ContentId).optional(),
  ending: ContentId.nullable().optional(),
  flow_state: z.enum(['PlayerTurnListening', 'Ended']).optional(),
});

/** What a script has in the place of the model: its output as members, or as the text that a model would send. */
const ScriptedOutput = z.union([z.string(), NpcTurnOutput.partial()]);

export const PlaythroughFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    fixture_id: ContentId,
    scenario_id: ContentId,
    description: Text,
    seed: z.int().min(0).optional(),
    input_mode: z.enum(['text', 'voice']).optional(),
    difficulty: Difficulty.optional(),
    turns: z.array(
      z.strictObject({
        turn: z.int().min(1),
        player_input: FilledText,
        npc: ScriptedOutput.optional().describe(
          "The model's output for this turn, so that the engine runs without a model. In every turn, or in none.",
        ),
        expect: TurnExpectation.optional(),
      }),
    ),
    static_assertions: z.array(z.strictObject({ description: Text, path: FilledText, check: FilledText })).optional(),
  })
  .describe('tests/*.yaml: a scripted playthrough.');
export type PlaythroughFile = z.infer<typeof PlaythroughFile>;

export const TranslationFile = z
  .object({ schema_version: z.literal('0.2') })
  .catchall(z.record(z.string(), Text).describe('Translated text by path in that file.'))
  .describe('i18n/<language>.yaml: translated texts by file and path, for example opening.npc_says.');
export type TranslationFile = z.infer<typeof TranslationFile>;

export const AssetMetadata = z
  .object({
    asset_id: Text.optional(),
    type: Text.optional(),
    file: Text.optional(),
    license: Text.optional(),
    attribution: Text.optional(),
    source_url: Text.optional(),
    width_px: z.number().min(0).optional(),
    height_px: z.number().min(0).optional(),
    duration_seconds: z.number().min(0).optional(),
  })
  .strict()
  .describe('assets/**/*.meta.json: where an asset comes from.');

/** Schema by kind of file. The rule of a finding is `schema.` and the kind. */
export const PACK_FILE_SCHEMAS = {
  manifest: ManifestFile,
  scenario: ScenarioFile,
  npc: NpcFile,
  rubric: RubricFile,
  safety: SafetyFile,
  scene: SceneFile,
  tests: PlaythroughFile,
  i18n: TranslationFile,
} as const;
export type PackFileKind = keyof typeof PACK_FILE_SCHEMAS;

/** Members that only a file of format 0.2 may have; `[]` stands for the items of a list. */
export const ADDED_IN_0_2: Readonly<Record<PackFileKind, readonly string[]>> = {
  manifest: ['credits', 'skills'],
  scenario: [
    'skills',
    'flags',
    'endings',
    'moves',
    'secrets',
    'npc_knows',
    'bands',
    'demo',
    'hints',
    'events[].effects',
    'events[].narration',
    'opening.emotion',
  ],
  npc: ['portraits', 'alt', 'emotions', 'sample_lines', 'emotional_triggers'],
  rubric: ['moves', 'framework', 'sources', 'max_delta_per_turn', 'checks', 'faults'].map(
    (member) => `dimensions[].${member}`,
  ),
  safety: [],
  scene: ['alt'],
  tests: [
    'turns[].npc',
    ...['state_vars', 'flags', 'events', 'ending', 'flow_state'].map((member) => `turns[].expect.${member}`),
  ],
  i18n: [],
};
