import { z } from 'zod';
import { ErrorCodeSchema } from './errors';
import { PackId, ScenarioId, Timestamp } from './primitives';

export const Finding = z
  .object({
    severity: z.enum(['error', 'warning']).describe('An error keeps the pack from being installed.'),
    rule: z.string().describe('Stable id of the rule, for example ref.unknown.'),
    file: z.string().describe('Path in the pack; empty for the pack as a whole.'),
    line: z.int().min(1).nullable().describe('Line in the file, from 1; null when it is about the whole.'),
    column: z.int().min(1).nullable().describe('Column in the line, from 1.'),
    path: z.string().nullable().describe('Dotted path of the member.'),
    message: z.string().describe('What is wrong, in one plain sentence.'),
    hint: z.string().nullable().describe('What to do next.'),
  })
  .describe('Something that the validation found.');
export type Finding = z.infer<typeof Finding>;

export const ContentRating = z.enum(['G', 'PG', 'PG-13']).describe('The highest content rating of its scenarios.');

export const Pack = z
  .object({
    pack_id: PackId,
    name: z.string().describe('Name for people.'),
    version: z.string().describe('Version of the pack, as its manifest says it.'),
    author: z.string().describe('Who made it.'),
    license: z.string().describe('Under which licence.'),
    description: z.string().describe('What it is about.'),
    content_rating: ContentRating,
    built_in: z.boolean().describe('Whether it comes with Parley, and so cannot be uninstalled.'),
    installed_at: Timestamp,
    scenario_count: z.int().min(0).describe('How many scenarios it has.'),
  })
  .describe('An installed pack.');
export type Pack = z.infer<typeof Pack>;
export const PackList = z
  .object({ packs: z.array(Pack).describe('All installed packs.') })
  .describe('The installed packs.');

const InPack = z.string().describe('Its id.');

export const PackDetail = Pack.extend({
  scenarios: z
    .array(z.object({ id: InPack, title: z.string().describe('Title for people.') }))
    .describe('Its scenarios.'),
  npcs: z.array(z.object({ id: InPack, name: z.string().describe('Name for people.') })).describe('Its characters.'),
  rubrics: z.array(z.object({ id: InPack, title: z.string().describe('Title for people.') })).describe('Its rubrics.'),
  policies: z
    .array(z.object({ id: InPack, description: z.string().nullable().describe('What it is for.') }))
    .describe('Its safety policies.'),
  scenes: z.array(z.object({ id: InPack, name: z.string().describe('Name for people.') })).describe('Its scenes.'),
  assets: z
    .array(
      z.object({
        path: z.string().describe('Path in the pack.'),
        media_type: z.string().describe('Type that its bytes show.'),
        size_bytes: z.int().describe('Size in bytes.'),
        url: z.string().describe('Path on the API, which names the version.'),
      }),
    )
    .describe('Its pictures, sounds and texts.'),
  findings: z.array(Finding).describe('Warnings.'),
}).describe('An installed pack with what is in it.');
export type PackDetail = z.infer<typeof PackDetail>;

/** JSON form of import and validate; the other form is multipart with the field `file`. */
export const PackPathRequest = z
  .strictObject({ path: z.string().min(1).max(4096).describe('A folder or zip on this machine.') })
  .describe('A pack that lies on this machine.');

export const ImportPackQuery = z.object({
  replace: z
    .enum(['true', 'false', 'any'])
    .optional()
    .describe(
      'true: a higher version takes the place of the installed one; any: whatever version, for a pack that is being written. Sessions keep the version they began with.',
    ),
});
export type ImportPackQuery = z.infer<typeof ImportPackQuery>;

/** How far an import is that nobody waits for. */
export const PackImport = z
  .object({
    id: z.string().describe('For GET and DELETE /api/packs/imports/{id}.'),
    status: z
      .enum(['queued', 'unpacking', 'checking', 'installing', 'installed', 'failed', 'cancelled'])
      .describe('Two run at once, the others are queued. The last three stay as they are.'),
    files_done: z.int().min(0).describe('Files that were unpacked, or checked, so far.'),
    files_total: z.int().min(0).nullable().describe('Of how many; null while nobody knows.'),
    findings: z.array(Finding).describe('Once it is installed or failed.'),
    pack_id: PackId.nullable().describe('Once it is installed.'),
    code: ErrorCodeSchema.nullable().describe('Why it failed; PACK_INVALID with the findings, for example.'),
    message: z.string().nullable().describe('Why it failed, in a sentence for a person.'),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What else a program can use of why it failed, as in a problem; the findings stand beside it.'),
  })
  .describe('An import that runs by itself.');
export type PackImport = z.infer<typeof PackImport>;

export const ImportAnswer = z
  .object({ pack: Pack, findings: z.array(Finding).describe('Warnings.') })
  .describe('The pack that was installed.');
export const CreatedPack = z
  .object({ pack: Pack, scenario_id: ScenarioId.describe('The scenario to play.') })
  .describe('The pack that was made from a form.');
export const ValidateAnswer = z
  .object({
    valid: z.boolean().describe('Whether it could be installed.'),
    findings: z.array(Finding).describe('Errors and warnings, all at once.'),
  })
  .describe('What the validation found.');
