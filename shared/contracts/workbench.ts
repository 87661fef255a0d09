import { z } from 'zod';
import { Finding } from './pack';
import { PackForm } from './pack-form';
import { TalkStart } from './playthrough-file';
import { ContentId, PackId, Timestamp, VariableValues } from './primitives';
import { ChatMessage } from './runtime';
import { Difficulty, EndingType } from './session';

/** Drafts of packs that are written on the page: folders in the data folder. None of them is played until it is installed. */

/** The longest text of one file of a draft, in UTF-16 units; the parser of packs reads no larger file. */
export const MAX_DRAFT_TEXT = 256 * 1024;

export const DraftId = PackId.describe(
  'Id of the draft: the pack id that it had at first, with a number if it was taken.',
);

export const Draft = z
  .object({
    draft_id: DraftId,
    name: z
      .string()
      .describe('Name of the pack, as its manifest says it; the id of the draft when that cannot be read.'),
    pack_id: PackId.nullable().describe('Id that the pack would be installed under; null when it cannot be read.'),
    pack_version: z.string().nullable().describe('Version of the pack, as its manifest says it; null when unreadable.'),
    folder: z.string().describe('Where its files lie on this machine, for other editors.'),
    changed_at: Timestamp.describe('When a file of it was last saved.'),
  })
  .describe('A pack that is being written.');
export type Draft = z.infer<typeof Draft>;

export const DraftList = z
  .object({ drafts: z.array(Draft).describe('The one that was changed last comes first.') })
  .describe('The packs that are being written.');

export const DraftFile = z
  .object({
    path: z.string().describe('Path in the pack.'),
    kind: z
      .enum(['manifest', 'scenario', 'npc', 'rubric', 'safety', 'scene', 'tests', 'i18n', 'text', 'asset', 'other'])
      .describe('What the file is for, by its path alone.'),
    size_bytes: z.int().min(0).describe('Size in bytes.'),
    editable: z.boolean().describe('Whether it is text that the workbench opens.'),
  })
  .describe('A file of a draft.');
export type DraftFile = z.infer<typeof DraftFile>;

export const DraftDetail = Draft.extend({
  files: z.array(DraftFile).describe('In the order of their paths.'),
}).describe('A draft with its files.');
export type DraftDetail = z.infer<typeof DraftDetail>;

export const CreateDraftRequest = z
  .union([
    z
      .strictObject({ form: z.strictObject(PackForm.shape).describe('The answers of the form.') })
      .describe('A new pack out of the answers of the form.'),
    z.strictObject({ copy_of: PackId.describe('An installed pack.') }).describe('A copy of an installed pack.'),
  ])
  .describe('Where a draft comes from.');

const FileVersion = z.string().min(1).max(64).describe('Changes with every change of the text.');

export const DraftText = z
  .object({
    path: z.string().describe('Path in the pack.'),
    text: z.string().describe('All of it.'),
    version: FileVersion,
  })
  .describe('The text of a file of a draft.');
export type DraftText = z.infer<typeof DraftText>;

export const SaveDraftFileRequest = z
  .strictObject({
    text: z.string().max(MAX_DRAFT_TEXT).describe('All of it.'),
    base_version: FileVersion.nullable().describe('The version that was changed; null for a new file.'),
  })
  .describe('A file of a draft as it is to be.');
export type SaveDraftFileRequest = z.infer<typeof SaveDraftFileRequest>;

export const SavedDraftFile = z
  .object({ path: z.string().describe('Path in the pack.'), version: FileVersion })
  .describe('A file of a draft that was saved.');

const ids = (what: string) => z.array(z.string()).describe(what);
export const DraftNames = z
  .object({
    files: ids('Paths of all files.'),
    scenarios: ids('Ids of scenarios.'),
    variables: ids('State variables.'),
    flags: ids('Flags.'),
    moves: ids('Moves.'),
    events: ids('Events.'),
    endings: ids('Endings.'),
    dimensions: ids('Dimensions of rubrics.'),
    emotions: ids('Emotions of characters.'),
  })
  .describe('The names that the files of a draft may use.');
export type DraftNames = z.infer<typeof DraftNames>;

export const StoryStep = z
  .object({
    kind: z.enum(['move', 'event', 'secret', 'ending']).describe('What comes.'),
    id: z.string().describe('Its id; the type of an ending that has none.'),
    title: z.string().nullable().describe('What a person calls it; null when it has no words.'),
    ending_type: EndingType.nullable().describe('Of an ending.'),
    line: z.int().min(1).nullable().describe('Where it stands in the file of the scenario.'),
    waits_for: ids('Ids of moves, flags and events that must be there first.'),
    when: ids('Its conditions, one sentence each.'),
    reach: z
      .array(
        z.object({
          difficulty: Difficulty,
          turns: z
            .int()
            .min(0)
            .nullable()
            .describe(
              "The fewest lines of the player after which it can come; null: never within the scenario's turns.",
            ),
          why: z.string().nullable().describe('Why it can never come.'),
        }),
      )
      .describe('How soon it can come, at each preset.'),
  })
  .describe('Something that can come in a scenario.');
export type StoryStep = z.infer<typeof StoryStep>;

export const Story = z
  .object({
    scenario_id: z.string().describe('Id inside the pack.'),
    title: z.string().describe('Title for people.'),
    file: z.string().describe('Path of its file.'),
    max_turns: z.int().min(1).describe('Lines that the player has.'),
    steps: z.array(StoryStep).describe('Moves, events, secrets and endings, in the order of the file.'),
  })
  .describe('What can come in a scenario, and how soon.');
export type Story = z.infer<typeof Story>;

export const PlayedScript = z
  .object({
    fixture_id: z.string().describe('Id of the script.'),
    file: z.string().describe('Path of its file.'),
    result: z.enum(['passed', 'failed', 'skipped']).describe('Whether it came out as it says.'),
    ending: z.string().nullable().describe('The ending that it came to.'),
  })
  .describe('A scripted playthrough that was played.');

export const DraftCheck = z
  .object({
    valid: z.boolean().describe('Whether it could be installed.'),
    findings: z.array(Finding).describe('Errors and warnings, those of its playthroughs too.'),
    names: DraftNames,
    stories: z.array(Story).describe('Empty while there are errors.'),
    scripts: z.array(PlayedScript).describe('Its playthroughs; not played while there are errors.'),
  })
  .describe('What the check of a draft found.');
export type DraftCheck = z.infer<typeof DraftCheck>;

export const FormatMember = z
  .object({
    path: z.string().describe('Path in the file; [] stands for the items of a list, <name> for any name.'),
    description: z.string().describe('What it is.'),
    type: z.string().describe('Its type in words.'),
    required: z.boolean().describe('Whether it must be there.'),
    values: ids('All that it may be, where that can be told; else empty.'),
    holds: z.enum(['value', 'members', 'list']).describe('What stands behind its colon.'),
  })
  .describe('A member of a file of a pack.');
export type FormatMember = z.infer<typeof FormatMember>;

export const PackFormat = z
  .object({
    kinds: z.record(z.string(), z.array(FormatMember)).describe('Members by kind of file.'),
  })
  .describe('The members of all files of a pack, for editors.');
export type PackFormat = z.infer<typeof PackFormat>;

const talkMembers = {
  scenario_id: ContentId.describe('Id of a scenario of the draft, inside the pack.'),
  difficulty: Difficulty.optional().describe('The default of the scenario when left out.'),
  voice: z.enum(['demo', 'model']).describe('Who answers: the demo voice, or the model that plays.'),
  start: z
    .strictObject(TalkStart.shape)
    .optional()
    .describe('The state that the talk begins in; the opening when left out.'),
  turns: z
    .array(
      z.strictObject({
        player_input: z.string().trim().min(1).max(2000).describe('What the player says.'),
        npc: z
          .string()
          .max(20_000)
          .nullable()
          .describe('What the model answered, as an earlier answer had it; null for what is still to be answered.'),
      }),
    )
    .max(100)
    .describe('The lines of the player so far. The talk is played anew each time: nothing of it is stored.'),
};

export const DraftTalkRequest = z.strictObject(talkMembers).describe('A talk with the character of a draft.');
export type DraftTalkRequest = z.infer<typeof DraftTalkRequest>;

export const RecordDraftTalkRequest = z
  .strictObject({
    ...talkMembers,
    fixture_id: ContentId.describe('Id of the playthrough, and the name of its file in tests/.'),
    description: z.string().trim().min(1).max(400).describe('Who plays here and how it goes.'),
  })
  .describe('A talk that is to be a playthrough of the draft.');
export type RecordDraftTalkRequest = z.infer<typeof RecordDraftTalkRequest>;

export const DraftTalkTurn = z
  .object({
    player_input: z.string().describe('What the player said.'),
    npc: z.string().describe('The whole output that was answered with, to be sent with the next line.'),
    npc_says: z.string().describe('What the character said.'),
    emotion: z.string().describe('The face to it.'),
    showed: z
      .array(
        z.object({ id: z.string().describe('Move or flag.'), words: z.string().describe('The words that prove it.') }),
      )
      .describe('What the line showed by its words.'),
    raised: ids('Moves and flags that this turn raised.'),
    fired: ids('Events that fired.'),
    state_vars: VariableValues,
    because: z.string().nullable().describe('Why the demo voice said this line; null for a model.'),
  })
  .describe('A line of the player and the answer to it.');

export const DraftTalk = z
  .object({
    npc_name: z.string().describe('Name of the character.'),
    difficulty: Difficulty,
    opening: z.string().describe('The first line, said by the character.'),
    state_vars: VariableValues.describe('The values at the beginning.'),
    turns: z.array(DraftTalkTurn).describe('In the order in which they were said.'),
    ending: z.string().nullable().describe('Id or type of the ending; null while the talk goes on.'),
    prompt: z.array(ChatMessage).describe('What the model reads to answer the last line; empty before the first.'),
    prompt_tokens: z.int().min(0).describe('How long that is about, in tokens.'),
  })
  .describe('A talk with the character of a draft, as far as it has come.');
export type DraftTalk = z.infer<typeof DraftTalk>;
