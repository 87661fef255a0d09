import {
  BASELINE_VARIABLES,
  DEFAULT_EMOTIONS,
  NPC_REQUESTS_END,
  type Condition,
  type Finding,
} from '@parley/shared/contracts';
import { checkName } from './check-references';
import type { Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { partsOf } from './references';

interface Placed<T> {
  readonly keys: Keys;
  readonly value: T;
}

function placedConditions(keys: Keys, when: Condition | readonly Condition[] | undefined): Placed<Condition>[] {
  if (when === undefined) return [];
  return Array.isArray(when)
    ? (when as Condition[]).map((value, index) => ({ keys: [...keys, index], value }))
    : [{ keys, value: when as Condition }];
}

/** All conditions of a scenario file, with where they stand. */
export function conditionsOf(scenario: LoadedFile<'scenario'>): Placed<Condition>[] {
  const { events, endings, ending_conditions: older, hints } = scenario.content;
  return [
    ...(events ?? []).flatMap((event, index) => placedConditions(['events', index, 'when'], event.when)),
    ...(endings ?? []).flatMap((ending, index) => placedConditions(['endings', index, 'when'], ending.when)),
    ...(['success', 'failure', 'timeout'] as const).flatMap((type) =>
      placedConditions(['ending_conditions', type], older?.[type]),
    ),
    ...(hints ?? []).flatMap((hint, index) => placedConditions(['hints', index, 'when'], hint.when)),
  ];
}

export const variablesOf = (scenario: LoadedFile<'scenario'>): Set<string> =>
  new Set([...Object.keys(BASELINE_VARIABLES), ...Object.keys(scenario.content.state?.variables ?? {})]);

/** Flags that exist: in 0.2 those that are declared. In 0.1, which cannot declare any, naming one makes it. */
function flagsOf(scenario: LoadedFile<'scenario'>): Set<string> {
  const { flags, moves, events, schema_version: version } = scenario.content;
  const named =
    version === '0.1'
      ? conditionsOf(scenario).flatMap(({ value }) => (value.type === 'flag' ? [value.flag_id] : []))
      : [];
  return new Set([
    ...Object.keys(flags ?? {}),
    ...(moves ?? []).map((move) => move.id),
    ...(events ?? []).map((event) => event.id),
    NPC_REQUESTS_END,
    ...named,
  ]);
}

const emotionsOf = (npc: LoadedFile<'npc'>): readonly string[] => npc.content.emotions ?? DEFAULT_EMOTIONS;

function checkScenario(pack: LoadedPack, scenario: LoadedFile<'scenario'>): Finding[] {
  const { content } = scenario;
  const variables = variablesOf(scenario);
  const flags = flagsOf(scenario);
  const { npc, rubric } = partsOf(pack, scenario);
  const findings = conditionsOf(scenario).flatMap(({ keys, value }) => {
    if (value.type === 'flag')
      return checkName(scenario, [...keys, 'flag_id'], 'flag, move or event', value.flag_id, flags);
    return value.type === 'max_turns'
      ? []
      : checkName(scenario, [...keys, 'variable'], 'variable', value.variable, variables);
  });
  const effects = [
    ...(content.events ?? []).map((event, index) => ({ keys: ['events', index, 'effects'], value: event.effects })),
    ...(content.moves ?? []).map((move, index) => ({ keys: ['moves', index, 'effect'], value: move.effect })),
  ];
  for (const { keys, value } of effects)
    for (const variable of Object.keys(value ?? {}))
      findings.push(...checkName(scenario, [...keys, variable], 'variable', variable, variables, true));
  if (rubric !== undefined) {
    const dimensions = rubric.content.dimensions.map((dimension) => dimension.id);
    for (const member of ['taught_dimensions', 'tested_dimensions'] as const)
      for (const [index, dimension] of (content[member] ?? []).entries())
        findings.push(...checkName(scenario, [member, index], 'dimension', dimension, dimensions));
    const moves = (content.moves ?? []).map((move) => move.id);
    for (const [index, dimension] of rubric.content.dimensions.entries())
      for (const [place, move] of (dimension.moves ?? []).entries())
        findings.push(...checkName(rubric, ['dimensions', index, 'moves', place], 'move', move, moves));
  }
  if (npc !== undefined && content.opening.emotion !== undefined)
    findings.push(...checkName(scenario, ['opening', 'emotion'], 'emotion', content.opening.emotion, emotionsOf(npc)));
  const offered = Object.keys(content.difficulty?.options ?? {});
  if (content.difficulty?.default !== undefined && offered.length > 0)
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
      checkName(npc, ['alt', emotion], 'emotion', emotion, [...emotions, 'portrait'], true),
    ),
  ];
}

function checkPlaythrough(pack: LoadedPack, file: LoadedFile<'tests'>): Finding[] {
  const { content } = file;
  const ids = pack.scenarios.map((one) => one.content.scenario_id);
  const findings = checkName(file, ['scenario_id'], 'scenario', content.scenario_id, ids);
  const scenario = pack.scenarios.find((one) => one.content.scenario_id === content.scenario_id);
  if (scenario === undefined) return findings;
  const variables = variablesOf(scenario);
  const flags = [
    ...flagsOf(scenario),
    ...conditionsOf(scenario).flatMap(({ value }) => (value.type === 'flag' ? [value.flag_id] : [])),
  ];
  const events = (scenario.content.events ?? []).map((event) => event.id);
  const endings = [
    ...(scenario.content.endings ?? []).map((ending) => ending.id),
    'success',
    'failure',
    'timeout',
    'safety_stop',
    'player_exit',
  ];
  for (const [index, { expect }] of content.turns.entries()) {
    const keys: Keys = ['turns', index, 'expect'];
    for (const variable of Object.keys(expect?.state_vars ?? {}))
      findings.push(...checkName(file, [...keys, 'state_vars', variable], 'variable', variable, variables, true));
    for (const [place, flag] of (expect?.flags ?? []).entries())
      findings.push(...checkName(file, [...keys, 'flags', place], 'flag', flag, flags));
    for (const [place, event] of (expect?.events ?? []).entries())
      findings.push(...checkName(file, [...keys, 'events', place], 'event', event, events));
    if (expect?.ending !== undefined && expect.ending !== null)
      findings.push(...checkName(file, [...keys, 'ending'], 'ending', expect.ending, endings));
  }
  return findings;
}

/** Every variable, flag, dimension, move, emotion, event, ending and scenario that a file names. */
export function checkNames(pack: LoadedPack): Finding[] {
  return [
    ...pack.scenarios.flatMap((scenario) => checkScenario(pack, scenario)),
    ...pack.npcs.flatMap(checkNpc),
    ...pack.playthroughs.flatMap((file) => checkPlaythrough(pack, file)),
  ];
}
