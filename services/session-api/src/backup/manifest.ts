import { z } from 'zod';

/** Names in a backup: the database, the packs that were installed, and what says so. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'parley.sqlite';
export const PACKS = 'packs';

/** No step out of the folder, and nothing that some system reads as one; what packs may be called is narrower. */
const PART = /^(?!\.{1,2}$)[^/\\:*?"<>|\p{Cc}]+$/u;

const isName = (name: string): boolean =>
  name === DATABASE || (name.startsWith(`${PACKS}/`) && name.split('/').every((part) => PART.test(part)));

export const Manifest = z.strictObject({
  format: z.literal(1),
  /** Version of Parley that wrote it. */
  parley: z.string(),
  schema_version: z.int().min(1),
  created_at: z.iso.datetime(),
  files: z
    .array(
      z.strictObject({
        name: z.string().refine(isName),
        bytes: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .refine((files) => files.some(({ name }) => name === DATABASE), 'holds no database'),
});
export type Manifest = z.infer<typeof Manifest>;
export type ManifestFile = Manifest['files'][number];
