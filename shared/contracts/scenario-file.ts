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
import { Condition, MoveRepeat, Proof, Visibility } from './scenario';
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
    min: Percent.optional(),
    max: Percent.optional(),
    default: Percent.optional(),
    visibility: Visibility.optional(),
    max_delta_per_turn: Percent.optional(),
  }),
]);

const DifficultyOption = z.strictObject({
  patience: Percent.optional(),
  volatility: Percent.optional(),
  disclosure: Percent.optional(),
  time_pressure: Percent.optional(),
  label: Name.optional(),
  description: z.string().max(120).optional(),
});

export const ScenarioFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    scenario_id: ContentId,
    title: Name,
    summary: z.string().max(500),
    player_role: z.strictObject({ label: FilledText, brief: Text }),
    npc: FileRef,
    scene: FileRef.optional(),
    rubric: FileRef,
    duration: z.strictObject({
      max_turns: z.int().min(1).max(100),
      soft_time_limit_minutes: z.int().min(1).optional(),
    }),
    opening: z.strictObject({ npc_says: FilledText, emotion: ContentId.optional() }),
    goals: z.strictObject({ player_visible: Texts.optional(), hidden: Texts.optional() }),
    state: z.strictObject({ variables: z.record(ContentId, VariableFile).optional() }).optional(),
    difficulty: z
      .strictObject({
        default: Difficulty.optional(),
        options: z
          .strictObject({
            warm: DifficultyOption.optional(),
            standard: DifficultyOption.optional(),
            hard: DifficultyOption.optional(),
            adversarial: DifficultyOption.optional(),
          })
          .optional(),
      })
      .optional(),
    events: z
      .array(
        z.strictObject({
          id: ContentId,
          when: When,
          npc_instruction: Text,
          repeat: z.boolean().optional(),
          effects: VariableEffects.optional(),
          narration: Text.optional().describe('Shown to the player.'),
        }),
      )
      .optional(),
    replay_seed: z.int().min(0).optional(),
    response_style: z
      .strictObject({
        max_words: z.int().min(10).max(500).optional(),
        verbosity: z.enum(['terse', 'moderate', 'verbose']).optional(),
        formality: z.enum(['casual', 'professional', 'formal']).optional(),
      })
      .optional(),
    ladder_position: z.enum(['intro', 'practice', 'stretch']).optional(),
    taught_dimensions: z.array(ContentId).optional(),
    tested_dimensions: z.array(ContentId).optional(),
    ending_conditions: z
      .strictObject({
        success: EndingCondition.optional(),
        failure: EndingCondition.optional(),
        timeout: EndingCondition.optional(),
      })
      .optional(),
    skills: z.array(Name).optional(),
    flags: z
      .record(ContentId, z.union([Text, FlagFile]))
      .optional()
      .describe('Flags that the model may raise: the meaning alone, or with what the player reads and what proves it.'),
    endings: z
      .array(
        z.strictObject({
          id: ContentId,
          type: z.enum(['success', 'failure', 'timeout']),
          title: Name,
          when: z.array(Condition).min(1).describe('All must hold.'),
          debrief_note: Text.optional(),
        }),
      )
      .optional()
      .describe('Instead of ending_conditions, not beside it.'),
    moves: z
      .array(
        z.strictObject({
          id: ContentId,
          description: FilledText,
          effect: VariableEffects.optional().describe('Added by the engine when the move is proven.'),
          repeat: MoveRepeat.optional().describe('halved when left out: each time half of the time before.'),
          signs: Signs.optional(),
          proof: ProofMember.optional(),
          exemplars: z
            .array(FilledText)
            .max(10)
            .optional()
            .describe('Lines of a skilled player, as he would say them.'),
        }),
      )
      .optional()
      .describe('What a skilled player does.'),
    secrets: z
      .array(
        z.strictObject({
          id: ContentId,
          when: When,
          text: FilledText.describe('What the character knows and may say once the conditions hold; not before.'),
          hint: FilledText.optional().describe('What opens it: shown in the debrief when it stayed shut.'),
        }),
      )
      .optional(),
    npc_knows: FilledText.optional().describe(
      "What the character knows of the player's side. The brief stays with the player.",
    ),
    bands: z
      .record(ContentId, z.array(z.strictObject({ below: z.int().min(-100).max(101), text: FilledText })).min(1))
      .optional()
      .describe('What the value of a variable means in words; the first band whose bound is above the value.'),
    demo: z
      .array(
        z.strictObject({
          after: ContentId.optional().describe(
            'The move, flag or event that it answers; an event is answered a turn later.',
          ),
          when: When.optional(),
          says: FilledText.max(1200),
          emotion: ContentId.optional(),
          otherwise: z.boolean().optional().describe('Said when nothing else fits.'),
        }),
      )
      .optional()
      .describe('Lines that the demo voice says.'),
    hints: z.array(z.strictObject({ when: When, text: FilledText })).optional(),
  })
  .describe('scenarios/*.yaml: one conversation.');
export type ScenarioFile = z.infer<typeof ScenarioFile>;
