import { BASELINE_VARIABLES, DEFAULT_EMOTIONS, NPC_REQUESTS_END, type Condition } from '@parley/shared/contracts';
import type { Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { idsIn, isAuthored, isWhole, namesIn, together } from './slips';

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
  const { events, endings, ending_conditions: older, hints, secrets, demo, outcome } = scenario.content;
  return [
    ...(events ?? []).flatMap((event, index) => placedConditions(['events', index, 'when'], event.when)),
    ...(endings ?? []).flatMap((ending, index) => placedConditions(['endings', index, 'when'], ending.when)),
    ...(['success', 'failure', 'timeout'] as const).flatMap((type) =>
      placedConditions(['ending_conditions', type], older?.[type]),
    ),
    ...(hints ?? []).flatMap((hint, index) => placedConditions(['hints', index, 'when'], hint.when)),
    ...(secrets ?? []).flatMap((secret, index) => placedConditions(['secrets', index, 'when'], secret.when)),
    ...(demo ?? []).flatMap((line, index) => placedConditions(['demo', index, 'when'], line.when)),
    ...(outcome ?? []).flatMap((line, index) => placedConditions(['outcome', index, 'when'], line.when)),
  ];
}

/** Names that exist; null while a slip may hide some of them. */
export type Names = readonly string[] | null;

export const variablesOf = (scenario: LoadedFile<'scenario'>): Names =>
  together(
    Object.keys(BASELINE_VARIABLES),
    namesIn(scenario, ['state', 'variables'], scenario.content.state?.variables),
  );

/** Whether every condition of a scenario is the author's. */
export const conditionsAreAuthored = (scenario: LoadedFile<'scenario'>): boolean =>
  !scenario.slips.some(([member, ...inner]) =>
    ['events', 'endings', 'hints', 'secrets', 'demo', 'outcome'].includes(String(member))
      ? inner.length < 2 || inner.includes('when')
      : member === 'ending_conditions',
  );

/** Flags that the conditions of a scenario name. */
export function flagsNamed(scenario: LoadedFile<'scenario'>): Names {
  if (!conditionsAreAuthored(scenario)) return null;
  return conditionsOf(scenario).flatMap(({ value }) => ('flag_id' in value ? [value.flag_id] : []));
}

/** What the model may raise: in 0.2 what is declared. In 0.1, which cannot declare any, naming a flag makes it. */
export const raisedOf = (scenario: LoadedFile<'scenario'>): Names =>
  together(
    namesIn(scenario, ['flags'], scenario.content.flags),
    idsIn(scenario, 'moves', scenario.content.moves),
    scenario.content.schema_version === '0.1' ? flagsNamed(scenario) : [],
  );

/** Every flag that can hold: raised by the model, or by the engine. */
export const flagsOf = (scenario: LoadedFile<'scenario'>): Names =>
  together(raisedOf(scenario), idsIn(scenario, 'events', scenario.content.events), [NPC_REQUESTS_END]);

export const emotionsOf = (npc: LoadedFile<'npc'>): Names =>
  isWhole(npc, ['emotions']) ? (npc.content.emotions ?? DEFAULT_EMOTIONS) : null;

/** Ids of all scenarios, those of files that do not parse where they can be read. */
export function scenarioIds(pack: LoadedPack): Names {
  const unparsed = pack.unparsed.filter((file) => file.kind === 'scenario').map((file) => file.legible['scenario_id']);
  const known =
    pack.complete &&
    !unparsed.includes(undefined) &&
    pack.scenarios.every((scenario) => isAuthored(scenario, ['scenario_id']));
  return known
    ? [...pack.scenarios.map((one) => one.content.scenario_id), ...unparsed.flatMap((id) => id ?? [])]
    : null;
}

/** The scenario that a script is for, as far as it can be read. */
export const scenarioOf = (pack: LoadedPack, file: LoadedFile<'tests'>): LoadedFile<'scenario'> | undefined =>
  pack.scenarios.find(
    (one) => one.content.scenario_id === file.content.scenario_id && isAuthored(one, ['scenario_id']),
  );
