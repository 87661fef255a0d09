import type { Finding } from '@parley/shared/contracts';
import { conditionsOf, flagsOf, variablesOf } from './scenario-names';
import { checkName } from './check-references';
import { reportAt, strictIn02, type Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { partsOf } from './references';
import { idsIn } from './slips';

/** What the checks of a dimension add up to: the way from the baseline to the top. */
const POINTS = 50;

type Rubric = LoadedFile<'rubric'>;
type Scenario = LoadedFile<'scenario'>;
type Check = NonNullable<Rubric['content']['dimensions'][number]['checks']>[number];

const TARGETS = ['move', 'flag', 'without_flag', 'signs'] as const;

const placedChecks = (
  dimension: Rubric['content']['dimensions'][number],
  index: number,
): { readonly keys: Keys; readonly check: Check; readonly fault: boolean }[] => [
  ...(dimension.checks ?? []).map((check, place) => ({
    keys: ['dimensions', index, 'checks', place],
    check,
    fault: false,
  })),
  ...(dimension.faults ?? []).map((check, place) => ({
    keys: ['dimensions', index, 'faults', place],
    check,
    fault: true,
  })),
];

function checkRubric(rubric: Rubric): Finding[] {
  return rubric.content.dimensions.flatMap((dimension, index) => {
    const findings: Finding[] = [];
    const placed = placedChecks(dimension, index);
    const seen = new Set<string>();
    for (const { keys, check } of placed) {
      const named = TARGETS.filter((target) => check[target] !== undefined);
      if (named.length !== 1)
        findings.push(
          reportAt(rubric, keys, {
            rule: 'schema.rubric',
            message:
              named.length === 0
                ? `The check ${check.id} says nothing to look for.`
                : `The check ${check.id} looks for ${named.join(' and ')} at once.`,
            hint: 'Give it exactly one of move, flag, without_flag and signs.',
          }),
        );
      if (seen.has(check.id))
        findings.push(
          reportAt(rubric, [...keys, 'id'], {
            rule: 'schema.rubric',
            message: `The dimension ${dimension.id} has two checks with the id ${check.id}.`,
            hint: 'Rename one of the two.',
          }),
        );
      seen.add(check.id);
    }
    const points = (dimension.checks ?? []).reduce((sum, check) => sum + check.points, 0);
    if (dimension.checks !== undefined && points !== POINTS)
      findings.push(
        reportAt(rubric, ['dimensions', index, 'checks'], {
          rule: 'schema.rubric',
          message: `The checks of ${dimension.id} add up to ${points} points.`,
          hint: `Make them add up to ${POINTS}: all met is then 100, all missed 0.`,
          atKey: true,
        }),
      );
    return findings;
  });
}

/** Moves and flags that the checks of a rubric name, as the scenario that is scored by it has them. */
function checkTargets(rubric: Rubric, scenario: Scenario): Finding[] {
  const moves = (scenario.content.moves ?? []).map((move) => move.id);
  const flags = flagsOf(scenario);
  return rubric.content.dimensions.flatMap((dimension, index) =>
    placedChecks(dimension, index).flatMap(({ keys, check }) => [
      ...(check.move === undefined ? [] : checkName(rubric, [...keys, 'move'], 'move', check.move, moves)),
      ...(check.after_move === undefined
        ? []
        : checkName(rubric, [...keys, 'after_move'], 'move', check.after_move, moves)),
      ...(['flag', 'without_flag'] as const).flatMap((member) => {
        const flag = check[member];
        return flag === undefined ? [] : checkName(rubric, [...keys, member], 'flag', flag, flags);
      }),
    ]),
  );
}

/** Endings and moves that the lines of the outcome name. */
function checkOutcome(scenario: Scenario): Finding[] {
  const endings = idsIn(scenario, 'endings', scenario.content.endings);
  const moves = idsIn(scenario, 'moves', scenario.content.moves);
  return (scenario.content.outcome ?? []).flatMap(({ ending, quote }, index) => [
    ...(ending === undefined ? [] : checkName(scenario, ['outcome', index, 'ending'], 'ending', ending, endings)),
    ...(quote === undefined ? [] : checkName(scenario, ['outcome', index, 'quote'], 'move', quote, moves)),
  ]);
}

function checkScenario(pack: LoadedPack, scenario: Scenario): Finding[] {
  const { content } = scenario;
  const findings: Finding[] = [];
  if (content.schema_version === '0.1')
    for (const { keys, value } of conditionsOf(scenario))
      if (value.type === 'no_flag' || value.type === 'line')
        findings.push(
          reportAt(scenario, [...keys, 'type'], {
            rule: 'schema.scenario',
            message: `The condition ${value.type} is part of format 0.2.`,
            hint: 'Write schema_version: "0.2", or use another condition.',
          }),
        );
  const variables = variablesOf(scenario);
  for (const variable of Object.keys(content.bands ?? {}))
    findings.push(...checkName(scenario, ['bands', variable], 'variable', variable, variables, true));
  const secrets = (content.secrets ?? []).map((secret) => secret.id);
  for (const [index, id] of secrets.entries())
    if (secrets.indexOf(id) !== index)
      findings.push(
        reportAt(scenario, ['secrets', index, 'id'], {
          severity: strictIn02(scenario),
          rule: 'schema.scenario',
          message: `The secret ${id} is there twice.`,
          hint: 'Rename one of the two.',
        }),
      );
  findings.push(...checkOutcome(scenario));
  const { rubric } = partsOf(pack, scenario);
  return rubric === undefined ? findings : [...findings, ...checkTargets(rubric, scenario)];
}

function checkSkills(pack: LoadedPack): Finding[] {
  const { manifest } = pack;
  if (manifest === null) return [];
  const dimensions = pack.rubrics.flatMap((rubric) => rubric.content.dimensions.map((dimension) => dimension.id));
  return Object.keys(manifest.content.skills ?? {}).flatMap((dimension) =>
    checkName(manifest, ['skills', dimension], 'dimension', dimension, dimensions, true),
  );
}

/** The rules of judging that lie between members and files: points, what checks look for, secrets, bands. */
export function checkJudging(pack: LoadedPack): Finding[] {
  return [
    ...pack.rubrics.flatMap(checkRubric),
    ...pack.scenarios.flatMap((scenario) => checkScenario(pack, scenario)),
    ...checkSkills(pack),
  ];
}
