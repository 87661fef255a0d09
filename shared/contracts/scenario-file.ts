import { z } from 'zod';
import {
  FormatVersionMember,
  Text,
  FilledText,
  Texts,
  Name,
  Percent,
  VariableEffects,
  FileRef,
} from './pack-file-parts';
import { ContentId } from './primitives';
import { Condition } from './condition';
import { MoveRepeat, Proof, Visibility } from './scenario-content';
import { Signs } from './signs';
import { Difficulty } from './session';

/** One condition, or (format 0.2, except in hints) a list whose conditions must all hold. */
export const When = z.union([Condition, z.array(Condition).min(1)]);
const EndingCondition = z
  .discriminatedUnion('type', [Condition.options[0], Condition.options[1], Condition.options[2]])
  .describe('A condition; flags are only known to events and to the endings of format 0.2.');

const ProofMember = Proof.describe('signs where there are signs, else model.');

const FlagFile = z.strictObject({
  meaning: FilledText.describe('When the model may raise it.'),
  shown: FilledText.optional().describe('What the player reads when it was raised.'),
  signs: Signs.optional(),
  proof: ProofMember.optional(),
});

const VariableFile = z.union([
  Percent.describe('The start; bounds 0 and 100.'),
  z.strictObject({
    min: Percent.optional().describe('The lowest value, 0 to 100; 0 when left out.'),
    max: Percent.optional().describe('The highest value, 0 to 100; 100 when left out.'),
    default: Percent.optional().describe(
      'The start. Left out: the usual start of a variable that every scenario has, else the lowest value.',
    ),
    visibility: Visibility.optional().describe('Whether the player sees it as a meter: visible or hidden.'),
    max_delta_per_turn: Percent.optional().describe(
      'How far the model may move it in one turn, in points; 20 when left out.',
    ),
  }),
]);

const DifficultyOption = z.strictObject({
  patience: Percent.optional().describe('Where patience starts, 0 to 100.'),
  volatility: Percent.optional().describe(
    '0 to 100. Above 50 what hurts the player counts more and what helps counts less; 50 leaves both.',
  ),
  disclosure: Percent.optional().describe('Where openness starts, 0 to 100: how much the character tells unasked.'),
  time_pressure: Percent.optional().describe('Where pressure starts, 0 to 100.'),
  label: Name.optional().describe('What the player picks, as "Budget week".'),
  description: z
    .string()
    .max(120)
    .optional()
    .describe('How the character is then, for the player; at most 120 characters.'),
});

export const ScenarioFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    scenario_id: ContentId.describe('Id inside the pack: a-z, 0-9 and _. Saved talks name it; do not change it later.'),
    title: Name.describe('Name of the scenario; at most 100 characters.'),
    summary: z
      .string()
      .max(500)
      .describe('What the library shows: the situation, for the player; at most 500 characters.'),
    player_role: z
      .strictObject({
        label: FilledText.describe('Who the player is, as "Operations analyst at Larkfield".'),
        brief: Text.describe('What the player knows and wants. The character never reads it.'),
      })
      .describe('Whom the player plays.'),
    npc: FileRef.describe('The character: {ref: ../npcs/dana.yaml}.'),
    scene: FileRef.optional().describe('The place: {ref: ../scenes/office.yaml}.'),
    rubric: FileRef.describe('What is scored: {ref: ../rubrics/pay_talk.yaml}.'),
    duration: z
      .strictObject({
        max_turns: z.int().min(1).max(100).describe('Lines that the player has, 1 to 100.'),
        soft_time_limit_minutes: z
          .int()
          .min(1)
          .optional()
          .describe('How long it takes, in minutes; shown, never enforced.'),
      })
      .describe('How long a talk is.'),
    opening: z
      .strictObject({
        npc_says: FilledText.describe('The first line, said by the character.'),
        emotion: ContentId.optional().describe('The face to it: one of the emotions of the character.'),
      })
      .describe('How the talk begins.'),
    goals: z
      .strictObject({
        player_visible: Texts.optional().describe('What the player is told to reach, one sentence each.'),
        hidden: Texts.optional().describe('What the character wants and when it gives way; the player never reads it.'),
      })
      .describe('What both sides want.'),
    state: z
      .strictObject({
        variables: z
          .record(ContentId, VariableFile)
          .optional()
          .describe(
            'By name: the six that every scenario has (trust, patience, pressure, rapport, openness, objective_progress) and your own.',
          ),
      })
      .optional()
      .describe('What changes during the talk.'),
    difficulty: z
      .strictObject({
        default: Difficulty.optional().describe('The one that is picked at first; standard when left out.'),
        options: z
          .strictObject({
            warm: DifficultyOption.optional().describe('The easiest.'),
            standard: DifficultyOption.optional().describe('As it usually goes.'),
            hard: DifficultyOption.optional().describe('Harder.'),
            adversarial: DifficultyOption.optional().describe('The hardest.'),
          })
          .optional()
          .describe('Those that are left out are not offered.'),
      })
      .optional()
      .describe('The presets that the player picks from.'),
    events: z
      .array(
        z.strictObject({
          id: ContentId.describe('Unique in this list; scripts and conditions name it.'),
          when: When.describe('One condition, or a list that must all hold.'),
          npc_instruction: Text.describe('What the character works into its next line, in the second person.'),
          repeat: z.boolean().optional().describe('Whether it may fire again; false when left out.'),
          effects: VariableEffects.optional().describe('Points added to variables when it fires, as {patience: -10}.'),
          narration: Text.optional().describe('Shown to the player.'),
        }),
      )
      .optional()
      .describe('What happens when its conditions hold, checked after every answer of the character.'),
    replay_seed: z.int().min(0).optional().describe('Number that runs of the scripts are repeated with.'),
    response_style: z
      .strictObject({
        max_words: z
          .int()
          .min(10)
          .max(500)
          .optional()
          .describe('Words of an answer at most, 10 to 500; 80 when left out.'),
        verbosity: z.enum(['terse', 'moderate', 'verbose']).optional().describe('How much the character says.'),
        formality: z
          .enum(['casual', 'professional', 'formal'])
          .optional()
          .describe('How formally the character speaks.'),
      })
      .optional()
      .describe('How the character answers.'),
    ladder_position: z
      .enum(['intro', 'practice', 'stretch'])
      .optional()
      .describe('How hard it is among its like: intro, practice or stretch.'),
    taught_dimensions: z.array(ContentId).optional().describe('Dimensions of the rubric that the player learns here.'),
    tested_dimensions: z.array(ContentId).optional().describe('Dimensions of the rubric that are tested here.'),
    ending_conditions: z
      .strictObject({
        success: EndingCondition.optional().describe('When the talk is won.'),
        failure: EndingCondition.optional().describe('When it is lost.'),
        timeout: EndingCondition.optional().describe('When it is over without either; max_turns when left out.'),
      })
      .optional()
      .describe('The 0.1 form of endings: one condition for each type.'),
    skills: z.array(Name).optional().describe('What is practised, in words, for the library: "asking for a raise".'),
    flags: z
      .record(ContentId, z.union([Text, FlagFile]))
      .optional()
      .describe('Flags that the model may raise: the meaning alone, or with what the player reads and what proves it.'),
    endings: z
      .array(
        z.strictObject({
          id: ContentId.describe('Unique in this list; scripts and conditions name it.'),
          type: z.enum(['success', 'failure', 'timeout']).describe('success, failure or timeout.'),
          title: Name.describe('What the ending is called: "A case she can carry".'),
          when: z.array(Condition).min(1).describe('All must hold.'),
          debrief_note: Text.optional().describe('What the letter says of this ending, to the player.'),
        }),
      )
      .optional()
      .describe('Instead of ending_conditions, not beside it.'),
    moves: z
      .array(
        z.strictObject({
          id: ContentId.describe('Unique in this list; scripts and conditions name it.'),
          description: FilledText.describe('What the player does, in the third person: "Says one figure, plainly."'),
          effect: VariableEffects.optional().describe('Added by the engine when the move is proven.'),
          repeat: MoveRepeat.optional().describe('halved when left out: each time half of the time before.'),
          signs: Signs.optional(),
          proof: ProofMember.optional(),
          exemplars: z
            .array(FilledText)
            .max(10)
            .optional()
            .describe('Lines of a skilled player, as he would say them.'),
          asks: z
            .boolean()
            .optional()
            .describe(
              'true: the player asks for what they want. The letter tells the first line that did. Where no move says true, those that the checks of the first dimension rest on count, but for the ones that say false.',
            ),
        }),
      )
      .optional()
      .describe('What a skilled player does.'),
    secrets: z
      .array(
        z.strictObject({
          id: ContentId.describe('Unique in this list; scripts and conditions name it.'),
          when: When.describe('One condition, or a list that must all hold.'),
          text: FilledText.describe('What the character knows and may say once the conditions hold; not before.'),
          hint: FilledText.optional().describe('What opens it: shown in the debrief when it stayed shut.'),
        }),
      )
      .optional()
      .describe('What the character tells only when it was earned. Before that it is in no prompt.'),
    npc_knows: FilledText.optional().describe(
      "What the character knows of the player's side. The brief stays with the player.",
    ),
    bands: z
      .record(
        ContentId,
        z
          .array(
            z.strictObject({
              below: z.int().min(-100).max(101).describe('The band counts below this value; 101 for the last.'),
              text: FilledText.describe('How the character is then, as "short answers, looks at the clock".'),
            }),
          )
          .min(1),
      )
      .optional()
      .describe('What the value of a variable means in words; the first band whose bound is above the value.'),
    demo: z
      .array(
        z.strictObject({
          after: ContentId.optional().describe(
            'The move, flag or event that it answers; an event is answered a turn later.',
          ),
          signs: Signs.optional().describe(
            'What the line of the player must show for it. It proves and scores nothing.',
          ),
          when: When.optional().describe('One condition, or a list that must all hold.'),
          says: FilledText.max(1200).describe('The line; at most 1,200 characters. Never said twice in a talk.'),
          emotion: ContentId.optional().describe('The face to it: one of the emotions of the character.'),
          otherwise: z.boolean().optional().describe('Said when nothing else fits.'),
        }),
      )
      .optional()
      .describe('Lines that the demo voice says.'),
    hints: z
      .array(
        z.strictObject({
          when: When.describe('One condition. A hint shows while it holds.'),
          text: FilledText.describe('What to try next, in one sentence.'),
        }),
      )
      .optional()
      .describe('Help that the player may ask for; the first that fits is shown.'),
    outcome: z
      .array(
        z.strictObject({
          when: When.optional().describe('One condition, or a list that must all hold when the talk is over.'),
          ending: ContentId.optional().describe('Only after this ending.'),
          text: FilledText.max(300).describe('What came of it, to the player: "Dana takes your page to Ines."'),
          quote: ContentId.optional().describe(
            'A move: the sentence that proved it last stands behind the text, as the player said it.',
          ),
        }),
      )
      .max(12)
      .optional()
      .describe('What the letter reads back: what was agreed, by when, for how much. Each line that holds is shown.'),
  })
  .describe('scenarios/*.yaml: one conversation.');
export type ScenarioFile = z.infer<typeof ScenarioFile>;
