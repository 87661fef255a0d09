import { z } from 'zod';
import { ContentRating } from './pack';
import { FormatVersionMember, Text, FilledText, Texts, Name, RelativePath, License } from './pack-file-parts';
import { ContentId, PackId } from './primitives';
import { PlaythroughFile } from './playthrough-file';
import { RubricFile } from './rubric-file';
import { ScenarioFile } from './scenario-file';
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
    name: Name.describe('Name of the pack; at most 100 characters.'),
    version: z
      .string()
      .max(40)
      .regex(/^\d+\.\d+\.\d+$/, 'must be three numbers, such as 1.0.0')
      .describe('x.y.z'),
    description: z.string().max(500).describe('What the pack is about, for who chooses packs; at most 500 characters.'),
    author: Text.describe('Who wrote it.'),
    license: License.describe('SPDX id, for example CC-BY-4.0.'),
    content_rating: ContentRating,
    tags: z
      .array(
        z
          .string()
          .max(64)
          .regex(/^[a-z0-9_-]+$/, 'must be of a-z, 0-9, _ and -'),
      )
      .optional()
      .describe('Words to find it by, in small letters.'),
    supported_languages: z
      .array(z.string().regex(/^[a-z]{2,3}$/, 'must be a language of two or three letters, such as en'))
      .optional()
      .describe('The first is the default.'),
    requirements: z
      .strictObject({
        min_app_version: Text.optional().describe('The first version of Parley that has what the pack uses.'),
        recommended_llm: Texts.optional().describe('Models that it was played with.'),
      })
      .optional()
      .describe('What the pack was made for.'),
    entry_scenarios: z
      .array(RelativePath)
      .min(1)
      .optional()
      .describe("Paths from the pack's root, in the order in which they are listed; left out: all, by name."),
    assets: z
      .strictObject({
        allow_external_urls: z.literal(false).optional().describe('false: nothing is fetched from the internet.'),
      })
      .optional()
      .describe('Rules for pictures and sounds.'),
    safety: z
      .strictObject({ policy: RelativePath.describe("Path from the pack's root.") })
      .describe('The policy for all scenarios of the pack.'),
    skills: z
      .record(ContentId, SkillId)
      .optional()
      .describe('The shared skill that a dimension practises, by the id of the dimension.'),
    credits: z
      .array(
        z.strictObject({
          asset: RelativePath.describe("Path from the pack's root."),
          by: FilledText.describe('Who made it.'),
          license: License.describe('SPDX id, for example CC-BY-4.0.'),
        }),
      )
      .optional()
      .describe('Who made the pictures and sounds.'),
  })
  .describe('manifest.yaml: what the pack is.');
export type ManifestFile = z.infer<typeof ManifestFile>;

export const NpcFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    npc_id: ContentId.describe('Id inside the pack: a-z, 0-9 and _.'),
    display_name: Name.describe('What the character is called on the page.'),
    archetype: ContentId.describe('In a word or two, as kind_stranger.'),
    fictional: z.literal(true).describe('true: packs play nobody who lives.'),
    age_band: z.literal('adult').describe('adult: the only one there is.'),
    voice: z
      .strictObject({
        engine: z.enum(['kokoro', 'sherpa-onnx', 'none']).optional().describe('Unused.'),
        voice_id: Text.optional().describe('Unused.'),
      })
      .optional()
      .describe('Kept and unused: voice is reserved.'),
    portrait: RelativePath.optional().describe("Path from the pack's root."),
    public_persona: z
      .strictObject({
        occupation: Text.describe('What they do, and since when.'),
        speaking_style: Text.describe('How they talk: length of sentences, habits, what they never say.'),
        demeanor: Text.describe('How they come across at first.'),
      })
      .describe('What anybody can see of them.'),
    private_persona: z
      .strictObject({
        hidden_agenda: Texts.optional().describe('What they want and do not say, one sentence each.'),
        biases_to_simulate: Texts.optional().describe('How they misjudge people or figures; shown, never explained.'),
        boundaries: Texts.optional().describe('What they never do or say.'),
      })
      .describe('What drives them; the player never reads it.'),
    portraits: z.record(ContentId, RelativePath).optional().describe('Path by emotion.'),
    alt: z.record(ContentId, Text).optional().describe('Alt text by emotion, or by `portrait` for the one picture.'),
    emotions: z
      .array(ContentId)
      .min(1)
      .optional()
      .describe('Faces that the character can show; the fifteen usual ones when left out.'),
    sample_lines: Texts.optional().describe(
      'Lines that show how the character talks. They are the strongest hint a model gets.',
    ),
    emotional_triggers: z
      .array(
        z.strictObject({
          when_player: FilledText.describe('What the player does: "threatens to leave".'),
          reaction: FilledText.describe('What the character does then.'),
        }),
      )
      .optional()
      .describe('What moves the character.'),
  })
  .describe('npcs/*.yaml: a character.');
export type NpcFile = z.infer<typeof NpcFile>;

/** Which actions a policy may name for which category. The last five are older names of 0.1. */
const ContentCategories = z.strictObject({
  nsfw_sexual_content: z.enum(['stop', 'redirect']).optional().describe('Sexual content.'),
  minors_romantic_or_sexual: z
    .enum(['stop'])
    .optional()
    .describe('Anything romantic or sexual with or about minors; always stop.'),
  real_person_impersonation: z
    .enum(['stop', 'redirect', 'refuse', 'block'])
    .optional()
    .describe('Playing a person who lives.'),
  voice_cloning_request: z.enum(['refuse', 'stop']).optional().describe('Asking for the voice of a person.'),
  medical_or_therapy_claim: z
    .enum(['redirect', 'refuse'])
    .optional()
    .describe('Asking for a diagnosis or a treatment.'),
  legal_claim: z.enum(['redirect', 'refuse']).optional().describe('Asking for legal advice.'),
  criminal_instruction: z.enum(['refuse', 'stop']).optional().describe('Asking how to commit a crime.'),
  harassment_extreme: z.enum(['redirect', 'refuse', 'stop']).optional().describe('Abuse that goes beyond the scene.'),
  self_harm_crisis: z
    .enum(['stop_with_resource_message'])
    .optional()
    .describe('The player speaks of harming themself; always answered with where to find help.'),
  nsfw_sexual: z.enum(['block']).optional().describe('0.1 name of nsfw_sexual_content.'),
  violence_graphic: z.enum(['block', 'redirect']).optional().describe('Graphic violence.'),
  instructional_criminal: z.enum(['block']).optional().describe('0.1 name of criminal_instruction.'),
  medical_professional_advice: z
    .enum(['block', 'redirect'])
    .optional()
    .describe('0.1 name of medical_or_therapy_claim.'),
  crisis_content: z.enum(['redirect']).optional().describe('0.1 name of self_harm_crisis.'),
});

export const SafetyFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    policy_id: ContentId.describe('Id inside the pack: a-z, 0-9 and _.'),
    description: Text.optional().describe('What the talk is about, so that it can be led back to it.'),
    content_categories: ContentCategories.describe('What is done about each kind of content.'),
    redirect_message: Text.optional().describe('What the character says to lead back.'),
    allow_profanity: z.boolean().optional().describe('Whether the character may swear; false when left out.'),
    content_rating_cap: ContentRating,
  })
  .describe('safety/*.yaml: a policy.');
export type SafetyFile = z.infer<typeof SafetyFile>;

export const SceneFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    scene_id: ContentId.describe('Id inside the pack: a-z, 0-9 and _.'),
    display_name: Name.describe('Where it is, in one line.'),
    description: z.string().max(2000).describe('What is there to be seen; at most 2,000 characters.'),
    background: RelativePath.optional().describe("Path from the pack's root."),
    ambient: ContentId.optional().describe(
      'What is heard there, as assembly_hall_hum. Told to the model; nothing is played.',
    ),
    alt: Text.optional().describe('Alt text of the background.'),
  })
  .describe('scenes/*.yaml: a place.');
export type SceneFile = z.infer<typeof SceneFile>;

/** What stands for a member in another language. Signs are written anew: words of one language prove nothing in another. */
export const Translated = z
  .union([
    Text.describe('The text of this member. Example: „Ach, du bist noch wach.“'),
    Texts.min(1).describe('All texts of this list, in the place of the original ones. Example: [Wohnen, Alltag].'),
    Signs,
  ])
  .describe('A text; for a list of texts the whole list; for signs the signs of this language.');
export type Translated = z.infer<typeof Translated>;

export const TranslationFile = z
  .object({ schema_version: z.literal('0.2').describe('"0.2": translations are new in it.') })
  .catchall(
    z
      .record(z.string(), Translated)
      .describe('Members of that file by path: opening.npc_says, goals.hidden[0], moves[id=soft_start].signs.'),
  )
  .describe('i18n/<language>.yaml: translated texts and signs by file and path, for example opening.npc_says.');
export type TranslationFile = z.infer<typeof TranslationFile>;

export const AssetMetadata = z
  .object({
    asset_id: Text.optional().describe('Id of the asset.'),
    type: Text.optional().describe('What it is: image, audio.'),
    file: Text.optional().describe('Its file.'),
    license: Text.optional().describe('SPDX id of its licence.'),
    attribution: Text.optional().describe('Whom to name.'),
    source_url: Text.optional().describe('Where it comes from; never opened.'),
    width_px: z.number().min(0).optional().describe('Width, in pixels.'),
    height_px: z.number().min(0).optional().describe('Height, in pixels.'),
    duration_seconds: z.number().min(0).optional().describe('Length, in seconds.'),
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
    'outcome',
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
    'language',
    'start',
    'turns[].npc',
    ...['state_vars', 'flags', 'events', 'ending', 'flow_state'].map((member) => `turns[].expect.${member}`),
  ],
  i18n: [],
};
