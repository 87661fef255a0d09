import type { Check } from './check';
import { CONTRACT_CHECKS } from './contract-checks';
import { GatewayUnderTest } from './gateway-under-test';
import type { ScriptedModel } from './scripted-model';
import { troubleChecks } from './trouble-checks';

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly passed: boolean;
  /** A measurement, or how the promise is broken. */
  readonly remark: string | null;
  readonly duration_ms: number;
}

export interface ConformanceReport {
  readonly url: string;
  readonly passed: boolean;
  readonly results: readonly CheckResult[];
}

export interface ConformanceOptions {
  readonly url: string;
  /** The scripted server that the gateway is pointed at; null leaves the checks out that need one. */
  readonly model: ScriptedModel | null;
  /** The quiet time of the gateway in seconds; null leaves the stalls out. */
  readonly stallSeconds: number | null;
  onResult?(result: CheckResult): void;
}

async function runCheck(check: Check, gateway: GatewayUnderTest): Promise<CheckResult> {
  const begun = performance.now();
  const result = (passed: boolean, remark: string | null): CheckResult => ({
    id: check.id,
    title: check.title,
    passed,
    remark,
    duration_ms: Math.round(performance.now() - begun),
  });
  try {
    return result(true, (await check.run(gateway)) ?? null);
  } catch (error) {
    return result(false, (error as Error).message);
  }
}

/** Holds a gateway against its contract, check by check; a check that fails stops none of the others. */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const gateway = new GatewayUnderTest(options.url);
  const trouble = options.model === null ? [] : troubleChecks(options.model, options.stallSeconds);
  const results: CheckResult[] = [];
  try {
    for (const check of [...CONTRACT_CHECKS, ...trouble]) {
      const result = await runCheck(check, gateway);
      results.push(result);
      options.onResult?.(result);
    }
  } finally {
    await gateway.close();
  }
  return { url: options.url, passed: results.every((result) => result.passed), results };
}
