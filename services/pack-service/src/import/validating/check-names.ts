import type { Finding } from '@parley/shared/contracts';
import { checkPlaythrough } from './check-playthrough';
import { checkName } from './check-references';
import type { LoadedFile, LoadedPack } from './load-pack';
import { partsOf } from './references';
import { conditionsOf, emotionsOf, flagsOf, variablesOf } from './scenario-names';
import { idsIn, namesIn, together, withoutFollowOns } from './slips';

function checkScenario(pack: LoadedPack, scenario: LoadedFile<'scenario'>): Finding[] {
  const { content } = scenario;
  const variables = variablesOf(scenario);
  const flags = flagsOf(scenario);
  const { npc, rubric } = partsOf(pack, scenario);
  const findings = conditionsOf(scenario).flatMap(({ keys, value }) => {
    if ('flag_id' in value)
      return checkName(scenario, [...keys, 'flag_id'], 'flag, move or event', value.flag_id, flags);
    return 'variable' in value ? checkName(scenario, [...keys, 'variable'], 'variable', value.variable, variables) : [];
  });
  const effects = [
    ...(content.events ?? []).map((event, index) => ({ keys: ['events', index, 'effects'], value: event.effects })),
    ...(content.moves ?? []).map((move, index) => ({ keys: ['moves', index, 'effect'], value: move.effect })),
  ];
  for (const { keys, value } of effects)
    for (const variable of Object.keys(value ?? {}))
      findings.push(...checkName(scenario, [...keys, variable], 'variable', variable, variables, true));
  if (rubric !== undefined) {
    const dimensions = idsIn(rubric, 'dimensions', rubric.content.dimensions);
    for (const member of ['taught_dimensions', 'tested_dimensions'] as const)
      for (const [index, dimension] of (content[member] ?? []).entries())
        findings.push(...checkName(scenario, [member, index], 'dimension', dimension, dimensions));
    const moves = idsIn(scenario, 'moves', content.moves);
    for (const [index, dimension] of rubric.content.dimensions.entries())
      for (const [place, move] of (dimension.moves ?? []).entries())
        findings.push(...checkName(rubric, ['dimensions', index, 'moves', place], 'move', move, moves));
  }
  if (npc !== undefined && content.opening.emotion !== undefined)
    findings.push(...checkName(scenario, ['opening', 'emotion'], 'emotion', content.opening.emotion, emotionsOf(npc)));
  const offered = namesIn(scenario, ['difficulty', 'options'], content.difficulty?.options);
  if (content.difficulty?.default !== undefined && offered?.length !== 0)
    findings.push(...checkName(scenario, ['difficulty', 'default'], 'preset', content.difficulty.default, offered));
  return findings;
}

function checkNpc(npc: LoadedFile<'npc'>): Finding[] {
  const emotions = emotionsOf(npc);
  return [
    ...Object.keys(npc.content.portraits ?? {}).flatMap((emotion) =>
      checkName(npc, ['portraits', emotion], 'emotion', emotion, emotions, true),
    ),
    ...Object.keys(npc.content.alt ?? {}).flatMap((emotion) =>
      checkName(npc, ['alt', emotion], 'emotion', emotion, together(emotions, ['portrait']), true),
    ),
  ];
}

/** Every variable, flag, dimension, move, emotion, event, ending and scenario that a file names. */
export function checkNames(pack: LoadedPack): Finding[] {
  return withoutFollowOns(pack, [
    ...pack.scenarios.flatMap((scenario) => checkScenario(pack, scenario)),
    ...pack.npcs.flatMap(checkNpc),
    ...pack.playthroughs.flatMap((file) => checkPlaythrough(pack, file)),
  ]);
}
