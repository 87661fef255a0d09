import { callRoute } from '@parley/shared/client';
import type { ScenarioContent } from '@parley/shared/contracts';

const KEPT = 200;
/** How long an answer that is complete without a scenario waits for it. */
const DISPENSABLE_MS = 2_000;

/**
 * Scenarios whole, as pack-service gives them. A version never changes, so what was fetched once is kept (the 200 used
 * last).
 */
export class ScenarioCache {
  private readonly kept = new Map<string, ScenarioContent>();

  /** @param timeoutMs how long pack-service may take to give one. */
  constructor(
    private readonly packService: string,
    private readonly timeoutMs: number,
  ) {}

  /** The version that plays now. @throws ServiceError SCENARIO_NOT_FOUND or SERVICE_UNAVAILABLE. */
  async current(scenarioId: string, language: string | undefined, requestId: string): Promise<ScenarioContent> {
    return this.fetch(scenarioId, undefined, language, requestId);
  }

  /** The version that a session started with. @throws ServiceError SCENARIO_NOT_FOUND or SERVICE_UNAVAILABLE. */
  async version(scenarioId: string, version: number, language: string, requestId?: string): Promise<ScenarioContent> {
    return this.known(scenarioId, version, language) ?? this.fetch(scenarioId, version, language, requestId);
  }

  /** Fetches it for something that can do without: not waited for as long as a play would. */
  async prefetch(scenarioId: string, version: number, language: string): Promise<void> {
    if (this.known(scenarioId, version, language) !== undefined) return;
    const timeoutMs = Math.min(this.timeoutMs, DISPENSABLE_MS);
    await this.fetch(scenarioId, version, language, undefined, timeoutMs).catch(() => undefined);
  }

  /** What is here already, without asking anybody. */
  known(scenarioId: string, version: number, language: string): ScenarioContent | undefined {
    const key = `${scenarioId}@${version}/${language}`;
    const content = this.kept.get(key);
    if (content !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, content);
    }
    return content;
  }

  private async fetch(
    scenarioId: string,
    version: number | undefined,
    language: string | undefined,
    requestId: string | undefined,
    timeoutMs = this.timeoutMs,
  ): Promise<ScenarioContent> {
    const { content } = await callRoute(
      this.packService,
      'getScenarioContent',
      {
        params: { id: scenarioId },
        query: { ...(version === undefined ? {} : { version }), ...(language === undefined ? {} : { language }) },
      },
      { timeoutMs, ...(requestId === undefined ? {} : { requestId }) },
    );
    const key = `${content.id}@${content.version}/${content.language}`;
    const known = this.kept.get(key);
    if (known !== undefined) return known; // keep one object a version: what the engine remembers hangs on it
    this.kept.set(key, content);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return content;
  }
}
