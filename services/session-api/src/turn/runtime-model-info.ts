import { callRoute } from '@parley/shared/client';
import type { RuntimeHealth, RuntimeModels } from '@parley/shared/contracts';

const FRESH_MS = 30_000;

/** Which model of the list answers: the one that health names, else the one that is loaded, else the first. */
export function activeModel(health: RuntimeHealth, { models }: RuntimeModels): RuntimeModels['models'][number] | null {
  return (
    models.find((model) => model.id === health.model_id) ?? models.find((model) => model.loaded) ?? models[0] ?? null
  );
}

/**
 * The context length of the active model, which the prompt must fit. It is asked for beside the turn, never on its path:
 * a turn uses what is known, and until something is known the default budget of the prompt.
 */
export class RuntimeModelInfo {
  private known: number | null = null;
  private askedAt = -Infinity;

  constructor(private readonly gateway: string) {}

  /** Tokens; null when unknown. */
  contextLength(): number | null {
    this.refresh();
    return this.known;
  }

  /**
   * Asks when what is known is old, and waits for nothing. Called when a session is made, so that its first prompt is
   * fitted to the same length as the later ones: a static part that changes costs the model server its cache.
   */
  refresh(): void {
    if (performance.now() - this.askedAt <= FRESH_MS) return;
    this.askedAt = performance.now();
    this.ask().catch(() => {
      this.askedAt = -Infinity; // the turn itself says what is wrong with the runtime
    });
  }

  private async ask(): Promise<void> {
    const [health, models] = await Promise.all([
      callRoute(this.gateway, 'getRuntimeHealth', {}),
      callRoute(this.gateway, 'listRuntimeModels', {}),
    ]);
    this.known = activeModel(health, models)?.context_length ?? null;
  }
}
