import { z } from 'zod';
import { ContentId } from './primitives';

/** What the schemas of a pack's files are made of. */
const FORMAT_VERSIONS = ['0.1', '0.2'] as const;
export const FormatVersionMember = z.enum(FORMAT_VERSIONS).describe('Version of the pack format, in quotes.');

export const Text = z.string().max(4000);
export const FilledText = Text.min(1);
export const Texts = z.array(Text);
export const Name = z.string().min(1).max(100);
export const RelativePath = z.string().min(1).max(400);
export const License = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9][-a-zA-Z0-9.+]*$/, 'must be an SPDX id, such as CC-BY-4.0');
export const Percent = z.int().min(0).max(100);
export const VariableEffects = z.record(ContentId, z.int().min(-100).max(100)).describe('Change by variable.');
export const FileRef = z.strictObject({ ref: RelativePath.describe('Relative to the file that holds it.') });
