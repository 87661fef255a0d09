import { z } from 'zod';

export const Settings = z
  .object({
    save_transcripts: z.boolean().describe('Keep conversation text on disk after a session.'),
    save_raw_audio: z.boolean().describe('For developers; voice is reserved.'),
    save_tts_cache: z.boolean().describe('Keep synthesized audio; voice is reserved.'),
    relationship_memory_enabled: z.boolean().describe('Characters remember earlier sessions.'),
    telemetry_enabled: z.literal(false).describe('Always false, read-only: nothing is sent anywhere.'),
  })
  .describe('User settings.');
export type Settings = z.infer<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = {
  save_transcripts: true,
  save_raw_audio: false,
  save_tts_cache: true,
  relationship_memory_enabled: false,
  telemetry_enabled: false,
};

export const SettingsAnswer = z.object({ settings: Settings }).describe('The user settings.');

/** telemetry_enabled is let through here so that the service can answer SETTING_READ_ONLY instead of an unknown member. */
export const PatchSettingsRequest = z
  .strictObject({
    save_transcripts: z.boolean().optional().describe('Keep conversation text on disk; for sessions made from now on.'),
    save_raw_audio: z.boolean().optional().describe('For developers; voice is reserved.'),
    save_tts_cache: z.boolean().optional().describe('Keep synthesized audio; voice is reserved.'),
    relationship_memory_enabled: z.boolean().optional().describe('Characters remember earlier sessions.'),
    telemetry_enabled: z.unknown().optional().describe('Read-only: naming it is 400 SETTING_READ_ONLY.'),
  })
  .describe('The settings to change; the others stay.');
export type PatchSettingsRequest = z.infer<typeof PatchSettingsRequest>;
