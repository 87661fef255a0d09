import { z } from 'zod';
import { PackId, Timestamp } from './primitives';

export const Finding = z
  .object({
    severity: z.enum(['error', 'warning']),
    rule: z.string().describe('Stable id of the rule, for example ref.unknown.'),
    file: z.string().describe('Path in the pack; empty for the pack as a whole.'),
    line: z.int().min(1).nullable(),
    column: z.int().min(1).nullable(),
    path: z.string().nullable().describe('Dotted path of the member.'),
    message: z.string(),
    hint: z.string().nullable().describe('What to do next.'),
  })
  .describe('Something that the validation found.');
export type Finding = z.infer<typeof Finding>;

export const ContentRating = z.enum(['G', 'PG', 'PG-13']);

export const Pack = z
  .object({
    pack_id: PackId,
    name: z.string(),
    version: z.string(),
    author: z.string(),
    license: z.string(),
    description: z.string(),
    content_rating: ContentRating,
    built_in: z.boolean(),
    installed_at: Timestamp,
    scenario_count: z.int().min(0),
  })
  .describe('An installed pack.');
export type Pack = z.infer<typeof Pack>;
export const PackList = z.object({ packs: z.array(Pack) });

export const PackDetail = Pack.extend({
  scenarios: z.array(z.object({ id: z.string(), title: z.string() })),
  npcs: z.array(z.object({ id: z.string(), name: z.string() })),
  rubrics: z.array(z.object({ id: z.string(), title: z.string() })),
  policies: z.array(z.object({ id: z.string(), description: z.string().nullable() })),
  scenes: z.array(z.object({ id: z.string(), name: z.string() })),
  assets: z.array(z.object({ path: z.string(), media_type: z.string(), size_bytes: z.int(), url: z.string() })),
  findings: z.array(Finding).describe('Warnings.'),
}).describe('An installed pack with what is in it.');
export type PackDetail = z.infer<typeof PackDetail>;

/** JSON form of import and validate; the other form is multipart with the field `file`. */
export const PackPathRequest = z.strictObject({
  path: z.string().min(1).max(4096).describe('A folder or zip on this machine.'),
});

export const ImportAnswer = z.object({ pack: Pack, findings: z.array(Finding) });
export const ValidateAnswer = z.object({ valid: z.boolean(), findings: z.array(Finding) });
