import { z } from 'zod';
import { Debrief } from './debrief';
import { TurnIndex } from './primitives';

/** Calls between the processes of the set; no part of the public interface. */

export const ScenarioContentQuery = z.object({
  version: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, 'must be a version number')
    .transform(Number)
    .optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'must be a language code such as en')
    .optional(),
});

export const PackSessions = z.object({ active_sessions: z.int().min(0) });
export type PackSessions = z.infer<typeof PackSessions>;

/** Versions of a pack's scenarios that a session, ended or not, began with: they are needed as long as it is there. */
export const PackVersions = z.object({
  versions: z.array(z.object({ scenario_id: z.string(), version: z.int().min(1) })),
});
export type PackVersions = z.infer<typeof PackVersions>;

/** What session-api holds in memory of a session whose transcript is not saved. */
export const SessionMemory = z.object({
  turns: z
    .array(z.object({ index: TurnIndex, text: z.string() }))
    .nullable()
    .describe('null: the text is gone.'),
  notes: z
    .array(z.object({ turn: TurnIndex, dimension: z.string(), note: z.string() }))
    .nullable()
    .describe('What the model noted about turns; never stored for such a session.'),
});
export type SessionMemory = z.infer<typeof SessionMemory>;

export const DebriefReady = z.strictObject({
  private_debrief: Debrief.nullable().describe(
    'With a session that is not saved: the debrief as the model wrote it, for memory only.',
  ),
});
export type DebriefReady = z.infer<typeof DebriefReady>;
