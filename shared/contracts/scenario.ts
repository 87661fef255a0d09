import { z } from 'zod';
import { PackId, ScenarioId, Timestamp } from './primitives';
import { Visibility } from './scenario-content';
import { Difficulty } from './session';

const Texts = z.array(z.string());

const NpcCard = z.object({
  id: z.string().describe('Id of the character.'),
  name: z.string().describe('Name of the character.'),
  portrait_url: z.string().nullable().describe('Path on the API; null when the pack ships no picture.'),
});

export const ScenarioSummary = z
  .object({
    id: ScenarioId,
    pack_id: PackId,
    version: z.int().min(1).describe('Grows by one whenever its content changes.'),
    title: z.string().describe('Title for people.'),
    summary: z.string().describe('What it is about, in a sentence or two.'),
    skills: Texts.describe('What it lets a player practise.'),
    difficulty: Difficulty.describe('The preset that is used when none is named.'),
    duration_minutes: z.int().nullable().describe("The author's soft limit or an estimate from max_turns."),
    content_rating: z.enum(['G', 'PG', 'PG-13']).describe('Content rating.'),
    npc: NpcCard.describe('Whom the player talks with.'),
  })
  .describe('A scenario in the catalogue.');
export type ScenarioSummary = z.infer<typeof ScenarioSummary>;

/** Which language the texts of scenarios should be in. */
export const ScenarioLanguageQuery = z.object({
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'must be a language code such as en')
    .optional()
    .describe("Language of the texts, where the pack has it; the pack's first one unless named."),
});

export const ScenarioList = z
  .object({ scenarios: z.array(ScenarioSummary).describe('All scenarios of all packs.') })
  .describe('The catalogue.');

/** What a player may know of a scenario before playing. Hidden goals and the private persona are not in it. */
export const ScenarioDetail = ScenarioSummary.extend({
  briefing: z
    .object({
      role: z.string().describe('Who the player is.'),
      brief: z.string().describe('What the player knows.'),
      scene: z.string().nullable().describe('Where it takes place.'),
      max_turns: z.int().describe('How many turns the player has.'),
    })
    .describe('What the player is told beforehand.'),
  goals: z.array(z.string()).describe('What the player wants.'),
  difficulties: z
    .array(
      z.object({
        id: Difficulty,
        label: z.string().describe('Name for people.'),
        description: z.string().describe('What it changes.'),
      }),
    )
    .describe('The presets that it offers.'),
  language: z.string().describe('Language of these texts: the one that was asked for, where the pack has it.'),
  languages: z.array(z.string()).describe('Languages of the pack; the first is the default.'),
  variables: z
    .array(
      z.object({
        name: z.string().describe('Name of the variable.'),
        visibility: Visibility,
        default: z.int().describe('Where it starts, before the preset.'),
        min: z.int().describe('Its lower bound.'),
        max: z.int().describe('Its upper bound.'),
        max_delta_per_turn: z.int().describe('How far one turn may move it.'),
      }),
    )
    .describe('Its variables.'),
  endings: z
    .array(
      z.object({
        id: z.string().nullable().describe('Id of the ending; null when it has none.'),
        type: z.enum(['success', 'failure', 'timeout']).describe('What kind of ending it is.'),
        title: z.string().nullable().describe('Title for people.'),
        description: z.string().describe('In plain words; conditions on hidden variables are not given away.'),
      }),
    )
    .describe('How it can end, but by the player leaving.'),
  rubric: z
    .object({
      id: z.string().describe('Id of the rubric.'),
      title: z.string().describe('Title for people.'),
      dimensions: z
        .array(
          z.object({
            id: z.string().describe('Id of the dimension.'),
            name: z.string().describe('Name for people.'),
            description: z.string().describe('What is scored.'),
            weight: z.number().describe('Its part in the overall score.'),
            scoring: z
              .object({
                low: z.string().describe('What a low score looks like.'),
                medium: z.string().describe('What a medium score looks like.'),
                high: z.string().describe('What a high score looks like.'),
              })
              .describe('Observable behaviour at three levels.'),
            framework: z.string().nullable().describe('The method that it comes from, if any.'),
            sources: Texts.describe('Where to read about it.'),
          }),
        )
        .describe('What the debrief scores.'),
    })
    .describe('How the talk is scored.'),
  portraits: z.record(z.string(), z.string()).describe('URL by emotion.'),
  portrait_alt: z.record(z.string(), z.string()).describe('Alt text by emotion.'),
  warnings: z.array(z.string()).describe('What a player should know before, for example missing pictures.'),
}).describe('A scenario with its briefing.');
export type ScenarioDetail = z.infer<typeof ScenarioDetail>;

export const ScenarioVersions = z
  .object({
    versions: z
      .array(
        z.object({
          version: z.int().min(1).describe('Number of the version.'),
          content_hash: z.string().describe('Hash of its content.'),
          created_at: Timestamp,
          current: z.boolean().describe('Whether new sessions play it.'),
        }),
      )
      .describe('Newest first.'),
  })
  .describe('The versions of a scenario.');
