import { z } from 'zod';
import { NpcTurnOutput } from './npc-output';
import { FilledText, FormatVersionMember, Text, Texts } from './pack-file-parts';
import { ContentId } from './primitives';
import { Difficulty } from './session';

const TurnExpectation = z.strictObject({
  state_delta_contains: Texts.optional().describe('Variables that this turn must have changed.'),
  npc_emotion_not: z.union([Text, Texts]).optional().describe('Emotions that the character must not have shown.'),
  session_control: z
    .enum(['continue_session', 'end_session'])
    .optional()
    .describe('Whether the talk goes on after this turn.'),
  safety_status: z.enum(['ok', 'redirect', 'stop']).optional().describe('What the safety policy decided.'),
  state_vars: z.record(ContentId, z.int()).optional().describe('Values after the turn, by variable.'),
  flags: z.array(ContentId).optional().describe('Moves and flags that were proven or raised so far.'),
  events: z.array(ContentId).optional().describe('Events that fired in this turn.'),
  ending: ContentId.nullable().optional().describe('The ending that it came to; null for none.'),
  flow_state: z.enum(['PlayerTurnListening', 'Ended']).optional().describe('Whether the talk has ended.'),
});

/** What a script has in the place of the model: its output as members, or as the text that a model would send. */
const ScriptedOutput = z.union([z.string(), NpcTurnOutput.partial()]);

/** Where a talk begins that does not begin at the opening: a state as a person sets it. */
export const TalkStart = z
  .strictObject({
    state_vars: z
      .record(ContentId, z.int().min(0).max(100))
      .optional()
      .describe('Values by variable; those that are left out are as at the opening.'),
    flags: z.array(ContentId).max(200).optional().describe('Moves, flags and events that have come already.'),
    line: z.int().min(0).max(99).optional().describe('Lines that the player has had; 0 when left out.'),
  })
  .describe('The state in which the first line is said; as at the opening when left out.');
export type TalkStart = z.infer<typeof TalkStart>;

export const PlaythroughFile = z
  .strictObject({
    schema_version: FormatVersionMember,
    fixture_id: ContentId.describe('Id of the script.'),
    scenario_id: ContentId.describe('The scenario that it plays.'),
    description: Text.describe('Who plays here and how it goes.'),
    seed: z.int().min(0).optional().describe('Number that a run with a model is repeated with.'),
    input_mode: z.enum(['text', 'voice']).optional().describe('Kept; text is what is played.'),
    difficulty: Difficulty.optional().describe('The preset; the default of the scenario when left out.'),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/, 'must be a language of two or three letters, such as en')
      .optional()
      .describe("Language that is played, one of the pack's; its first one when left out. Example: de."),
    start: TalkStart.optional(),
    turns: z
      .array(
        z.strictObject({
          turn: z.int().min(1).describe('Which line of the player this is, from 1.'),
          player_input: FilledText.describe('What the player says.'),
          npc: ScriptedOutput.optional().describe(
            "The model's output for this turn, so that the engine runs without a model. In every turn, or in none.",
          ),
          expect: TurnExpectation.optional().describe('What must be true after this turn.'),
        }),
      )
      .describe('The lines of the player, one after the other.'),
    static_assertions: z
      .array(
        z.strictObject({
          description: Text.describe('What is asserted, for people.'),
          path: FilledText.describe('A member, as scenario.events[id=x].when.'),
          check: FilledText.describe('What must hold of it, as non_empty_string or equals 5.'),
        }),
      )
      .optional()
      .describe('What must be true of the pack itself, so that the script stays right.'),
  })
  .describe('tests/*.yaml: a scripted playthrough.');
export type PlaythroughFile = z.infer<typeof PlaythroughFile>;
