import { LRUCache } from 'lru-cache';
import type { RubricDetail } from '@parley/shared/engine';

const KEPT_FITS = 10_000;

/**
 * How the static part of each session's first prompt was fitted. What is found out about the model later must not change
 * it while it still fits: the model server would read the whole prompt again.
 */
export class PromptFits {
  private readonly kept = new LRUCache<string, RubricDetail>({ max: KEPT_FITS });

  /** undefined: nothing was fitted yet. */
  of(sessionId: string): RubricDetail | undefined {
    return this.kept.get(sessionId);
  }

  keep(sessionId: string, detail: RubricDetail): void {
    this.kept.set(sessionId, detail);
  }

  forget(sessionId: string): void {
    this.kept.delete(sessionId);
  }
}
