import { apiUrl } from '../client/api-address';
import type { Scenario } from '../play/play-ports';

/** Picture for an emotion: its own, the neutral one, or the one picture that the pack ships. */
export function portraitOf(scenario: Scenario, emotion: string | null): { url: string; alt: string } | null {
  const { portraits, portrait_alt: alts, npc } = scenario;
  const path = (emotion === null ? undefined : portraits[emotion]) ?? portraits['neutral'] ?? npc.portrait_url;
  const url = path == null ? null : apiUrl(path);
  if (url === null) return null;
  return {
    url,
    alt: (emotion === null ? undefined : alts[emotion]) ?? alts['portrait'] ?? alts['neutral'] ?? npc.name,
  };
}
