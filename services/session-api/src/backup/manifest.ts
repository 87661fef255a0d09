import { z } from 'zod';

/** Names in a backup: the database, the packs that were installed, those that are being written, and what says so. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'parley.sqlite';
export const PACKS = 'packs';
export const DRAFTS = 'drafts';

/** No step out of the folder, and nothing that some system reads as one; what packs may be called is narrower. */
const PART = /^(?!\.{1,2}$)[^/\\:*?"<>|\p{Cc}]+$/u;

/** Whether a file of a pack or of a draft may have this name in a backup: every system must be able to write it. */
export const isFileName = (name: string): boolean =>
  [PACKS, DRAFTS].some((folder) => name.startsWith(`${folder}/`)) && name.split('/').every((part) => PART.test(part));

const isName = (name: string): boolean => name === DATABASE || isFileName(name);

export const Manifest = z.strictObject({
  /** 1: it says nothing of drafts. */
  format: z.literal([1, 2]),
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

/** The folders that a backup puts in the place of those that are there. */
export const foldersIn = ({ format }: Manifest): string[] => (format === 1 ? [PACKS] : [PACKS, DRAFTS]);
