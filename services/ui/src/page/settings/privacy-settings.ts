import type { Settings } from '@parley/shared/contracts';
import { browserMemory } from '../client/tab-memory';

/** The switches that stand together, in the order in which they are shown. */
export const PRIVACY_SWITCHES = ['save_transcripts', 'save_tts_cache', 'save_raw_audio'] as const;
/** What a player can change; the memory of characters has a part of the page of its own. */
export type PrivacySwitch = (typeof PRIVACY_SWITCHES)[number] | 'relationship_memory_enabled';

/** Keeps the browser's copy: `sim.privacy.<name>`, as text. The service's answer is what counts. */
export function rememberPrivacy(settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) browserMemory.write(`sim.privacy.${name}`, String(value));
}
