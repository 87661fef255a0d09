import type { Finding } from '@parley/shared/contracts';
import type { TranslatedScenario } from '../catalogue/compile-pack';
import type { Asset } from '../import/validating/inspect-files';
import type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
import { partsOf } from '../import/validating/references';
import { isWhole, withoutFollowOns } from '../import/validating/slips';
import { checkCompleteness } from './completeness';
import { findNeverShown } from './never-shown';
import { proveJudging } from './prove-judging';
import { checkUntranslated, proveTranslations } from './prove-translations';
import { proveReach, type EndingReach } from './reach-endings';
import { checkPromptFits } from './prompt-fits';
import { checkStaticAssertions } from './static-assertions';

export type { EndingReach };

/** Members of a scenario that say when its events and endings come. */
const OF_REACH = [
  'schema_version',
  'duration',
  'state',
  'difficulty',
  'events',
  'endings',
  'ending_conditions',
  'moves',
  'flags',
] as const;

/** Proofs about a scenario, as far as what they rest on is the author's. */
function prove(pack: LoadedPack, scenario: LoadedFile<'scenario'>, compiled: TranslatedScenario) {
  const { content } = compiled;
  const { npc, scene, rubric, policy } = partsOf(pack, scenario);
  const reachIsKnown = OF_REACH.every((member) => isWhole(scenario, [member]));
  const promptIsKnown = [scenario, npc, scene, rubric, policy].every((file) => (file?.slips.length ?? 0) === 0);
  const { findings, endings } = reachIsKnown ? proveReach(scenario, content) : { findings: [], endings: [] };
  const proofs = promptIsKnown
    ? [
        ...checkPromptFits(scenario, content),
        ...proveJudging(pack, scenario, compiled),
        ...proveTranslations(pack, scenario, compiled),
      ]
    : [];
  const unseen =
    reachIsKnown && ['secrets', 'hints', 'outcome'].every((member) => isWhole(scenario, [member]))
      ? findNeverShown(scenario, content)
      : [];
  return { endings, findings: [...findings, ...unseen, ...proofs] };
}

/** All that can be said of a pack beyond whether it is one: warnings that never block, but for what 0.2 forbids. */
export function lintPack(
  pack: LoadedPack,
  compiled: readonly TranslatedScenario[],
  assets: readonly Asset[],
): { findings: Finding[]; endings: EndingReach[] } {
  const reaches = compiled.flatMap((one) => {
    const scenario = pack.scenarios.find((file) => file.content.scenario_id === one.content.scenario_id);
    if (scenario === undefined) return [];
    return [prove(pack, scenario, one)];
  });
  return {
    findings: withoutFollowOns(pack, [
      ...reaches.flatMap((reach) => reach.findings),
      ...pack.playthroughs.flatMap((file) => checkStaticAssertions(pack, file)),
      ...(pack.manifest === null ? [] : checkCompleteness(pack, assets)),
      ...pack.translations.flatMap((file) => checkUntranslated(pack, file)),
    ]),
    endings: reaches.flatMap((reach) => reach.endings),
  };
}
