import { useEffect } from 'react';
import { apiUrl } from '../client/api-address';
import type { Scenario } from '../play/play-ports';

/** Asks for all faces of a character when the talk begins, so that a change of mood shows at once. */
export function usePortraitsAhead(scenario: Scenario | null): void {
  useEffect(() => {
    for (const path of Object.values(scenario?.portraits ?? {})) {
      const url = apiUrl(path);
      if (url === null) continue;
      const image = new Image();
      image.crossOrigin = 'anonymous';
      image.src = url;
    }
  }, [scenario]);
}
