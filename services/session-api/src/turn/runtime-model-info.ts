import { callRoute } from '@parley/shared/client';
import { type RuntimeHealth, type RuntimeModels, GATEWAY_ROUTES } from '@parley/shared/contracts';
import { settledWithin } from '@parley/shared/service';

const FRESH_MS = 30_000;
/** How long the first prompt waits for it: a list takes milliseconds, and a gateway that hangs must not hold a turn up. */
const WAIT_MS = 2_000;

export interface RuntimeModelLimits {
  /** How long a read of the gateway may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long the first prompt waits for it, in milliseconds. */
  readonly waitMs?: number;
}

/** Which model of the list answers: the one that health names, else the one that is loaded, else the first. */
export function activeModel(health: RuntimeHealth, { models }: RuntimeModels): RuntimeModels['models'][number] | null {
  return (
    models.find((model) => model.id === health.model_id) ?? models.find((model) => model.loaded) ?? models[0] ?? null
  );
}

/**
 * The context length of the active model, which the prompt must fit. It is asked for beside the turn: once something is
 * known, a turn uses that and waits for nothing. Only the prompts before the first answer wait for it, for a bounded time.
 */
export class RuntimeModelInfo {
  private known: number | null = null;
  private isAnswered = false;
  private askedAt = -Infinity;
  private asking: Promise<void> | null = null;
  /** Grows when another runtime plays: an answer about the one before counts no more. */
  private generation = 0;

  constructor(
    private readonly gateway: string,
    private readonly limits: RuntimeModelLimits,
  ) {}

  /** Another runtime plays: what was known of the one before is not true of it. */
  forget(): void {
    this.generation += 1;
    this.known = null;
    this.isAnswered = false;
    this.askedAt = -Infinity;
    this.asking = null;
  }

  /** Tokens; null when unknown. */
  async contextLength(): Promise<number | null> {
    this.refresh();
    if (!this.isAnswered && this.asking !== null) await settledWithin(this.asking, this.limits.waitMs ?? WAIT_MS);
    return this.known;
  }

  /** Whether the runtime has ever said it: before that a prompt is fitted to a guess. */
  get isKnown(): boolean {
    return this.isAnswered;
  }

  /** Asks when what is known is old, and waits for nothing. Called when a session is made, long before its first prompt. */
  refresh(): void {
    if (this.asking !== null || performance.now() - this.askedAt <= FRESH_MS) return;
    this.askedAt = performance.now();
    const asking = this.ask()
      .catch(() => {
        if (this.asking === asking) this.askedAt = -Infinity; // the turn itself says what is wrong with the runtime
      })
      .finally(() => {
        if (this.asking === asking) this.asking = null;
      });
    this.asking = asking;
  }

  private async ask(): Promise<void> {
    const { timeoutMs } = this.limits;
    const { generation } = this;
    const [health, models] = await Promise.all([
      callRoute(this.gateway, GATEWAY_ROUTES.getRuntimeHealth, {}, { timeoutMs }),
      callRoute(this.gateway, GATEWAY_ROUTES.listRuntimeModels, {}, { timeoutMs }),
    ]);
    if (generation !== this.generation) return;
    this.known = activeModel(health, models)?.context_length ?? null;
    this.isAnswered = true;
  }
}
