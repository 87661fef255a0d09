import { z } from 'zod';
import { Timestamp } from './primitives';

export const ModelServerInstalling = z
  .object({
    started_at: Timestamp.describe('When the install began.'),
    packages_done: z.int().min(0).describe('Packages that are here.'),
    packages_total: z.int().min(0).describe('Packages in all, about.'),
    line: z.string().nullable().describe('What was fetched last.'),
  })
  .describe('An install that is under way.');

export const ModelServerState = z
  .object({
    installed: z.boolean().describe('Whether it is there, whole.'),
    installing: ModelServerInstalling.nullable().describe('How far its install is; null when none is under way.'),
    size_bytes: z.int().min(0).describe('What it takes on the disk, in bytes, about.'),
    licence: z.literal('MIT').describe('Licence of the library that it is made with.'),
    command_found: z
      .enum(['configured', 'llama-server', 'bundled'])
      .nullable()
      .describe(
        'What would be started: what SIM_SIDECAR_COMMAND names, llama-server from the PATH, the one that comes with Parley, or nothing yet.',
      ),
    message: z.string().nullable().describe('Why the last install failed and what to do next; null when none did.'),
  })
  .describe('The model server that comes with Parley, which is installed on demand.');
export type ModelServerState = z.infer<typeof ModelServerState>;
