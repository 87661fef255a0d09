import type { Finding } from '@parley/shared/contracts';
import type { CompiledScenario } from '../catalogue/compile-pack';
import type { Asset } from '../import/inspect-files';
import type { LoadedPack } from '../import/load-pack';
import { checkCompleteness } from './completeness';
import { proveReach, type EndingReach } from './reach-endings';
import { checkPromptFits } from './prompt-fits';
import { checkStaticAssertions } from './static-assertions';

export type { EndingReach };

/** All that can be said of a pack beyond whether it is one: warnings that never block, but for what 0.2 forbids. */
export function lintPack(
  pack: LoadedPack,
  compiled: readonly CompiledScenario[],
  assets: readonly Asset[],
): { findings: Finding[]; endings: EndingReach[] } {
  const reaches = compiled.flatMap(({ content }) => {
    const scenario = pack.scenarios.find((one) => one.content.scenario_id === content.scenario_id);
    if (scenario === undefined) return [];
    const { findings, endings } = proveReach(scenario, content);
    return [{ endings, findings: [...findings, ...checkPromptFits(scenario, content)] }];
  });
  return {
    findings: [
      ...reaches.flatMap((reach) => reach.findings),
      ...pack.playthroughs.flatMap((file) => checkStaticAssertions(pack, file)),
      ...(pack.manifest === null ? [] : checkCompleteness(pack, assets)),
    ],
    endings: reaches.flatMap((reach) => reach.endings),
  };
}
