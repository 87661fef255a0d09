import { INTERNAL_ROUTES } from '@parley/shared/contracts';
import { LRUCache } from 'lru-cache';
import { callRoute } from '@parley/shared/client';
import { compileScenario, type CompiledScenario } from '@parley/shared/engine';
import { settledWithin } from '@parley/shared/service';

const KEPT = 200;
/** How long an answer that is complete without a scenario waits for it. */
const DISPENSABLE_MS = 2_000;

/** A scenario to ask pack-service for. */
interface Wanted {
  readonly scenarioId: string;
  /** The version that plays now unless told. */
  readonly version?: number;
  /** The language of the scenario unless told. */
  readonly language?: string | undefined;
  readonly requestId?: string | undefined;
}

const keyOf = (scenarioId: string, version: number, language: string): string => `${scenarioId}@${version}/${language}`;

/**
 * Scenarios whole, as pack-service gives them. A version never changes, so what was fetched once is kept (the 200 used
 * last), and whoever wants one that is on its way waits for the same answer.
 */
export class ScenarioCache {
  private readonly kept: LRUCache<string, CompiledScenario, Wanted>;

  /** @param timeoutMs how long pack-service may take to give one. */
  constructor(
    private readonly packService: string,
    private readonly timeoutMs: number,
  ) {
    this.kept = new LRUCache({
      max: KEPT,
      fetchMethod: (_key, _stale, { context }) => this.fetch(context),
      // Whoever waits for a scenario gets it, whatever else was asked for meanwhile.
      ignoreFetchAbort: true,
    });
  }

  /** The version that plays now. @throws ServiceError SCENARIO_NOT_FOUND or SERVICE_UNAVAILABLE. */
  async current(scenarioId: string, language: string | undefined, requestId: string): Promise<CompiledScenario> {
    const fetched = await this.fetch({ scenarioId, language, requestId });
    const { id, version, language: given } = fetched.content;
    const key = keyOf(id, version, given);
    const known = this.kept.get(key);
    if (known === undefined) this.kept.set(key, fetched);
    return known ?? fetched;
  }

  /** The version that a session started with. @throws ServiceError SCENARIO_NOT_FOUND or SERVICE_UNAVAILABLE. */
  version(scenarioId: string, version: number, language: string, requestId?: string): Promise<CompiledScenario> {
    const context = { scenarioId, version, language, requestId };
    return this.kept.forceFetch(keyOf(scenarioId, version, language), { context });
  }

  /** Fetches it for something that can do without: not waited for as long as a play would. */
  async prefetch(scenarioId: string, version: number, language: string): Promise<void> {
    if (this.known(scenarioId, version, language) === undefined)
      await settledWithin(this.version(scenarioId, version, language), DISPENSABLE_MS);
  }

  /** What is here already, without asking anybody. */
  known(scenarioId: string, version: number, language: string): CompiledScenario | undefined {
    return this.kept.get(keyOf(scenarioId, version, language));
  }

  private async fetch({ scenarioId, version, language, requestId }: Wanted): Promise<CompiledScenario> {
    const { content } = await callRoute(
      this.packService,
      INTERNAL_ROUTES.getScenarioContent,
      {
        params: { id: scenarioId },
        query: { ...(version === undefined ? {} : { version }), ...(language === undefined ? {} : { language }) },
      },
      { timeoutMs: this.timeoutMs, ...(requestId === undefined ? {} : { requestId }) },
    );
    return compileScenario(content);
  }
}
