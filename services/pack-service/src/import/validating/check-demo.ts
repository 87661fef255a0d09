import { BASELINE_VARIABLES, type Condition, type Finding } from '@parley/shared/contracts';
import { checkName } from './check-references';
import { reportAt, strictIn02, type Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { partsOf } from './references';
import { emotionsOf, flagsOf } from './scenario-names';
import { withoutFollowOns } from './slips';

type Scenario = LoadedFile<'scenario'>;
type DemoLine = NonNullable<Scenario['content']['demo']>[number];

const conditionsIn = (line: DemoLine): readonly Condition[] =>
  line.when === undefined ? [] : Array.isArray(line.when) ? line.when : [line.when as Condition];

/** The bounds of a variable as far as the file says them. */
function boundsOf(scenario: Scenario, variable: string): { readonly min: number; readonly max: number } {
  const authored = scenario.content.state?.variables?.[variable];
  const own = typeof authored === 'object' ? authored : {};
  return { min: own.min ?? 0, max: own.max ?? 100 };
}

const isKnown = (scenario: Scenario, variable: string): boolean =>
  Object.hasOwn(BASELINE_VARIABLES, variable) || Object.hasOwn(scenario.content.state?.variables ?? {}, variable);

/** Why one condition can never hold; null when it can, or when nothing can be said. */
function neverHolds(scenario: Scenario, condition: Condition): string | null {
  const { max_turns: turns } = scenario.content.duration;
  switch (condition.type) {
    case 'line':
    case 'max_turns':
      return condition.value > turns ? `the talk has ${turns} lines, not ${condition.value}` : null;
    case 'variable_above':
      if (!isKnown(scenario, condition.variable)) return null;
      return condition.threshold >= boundsOf(scenario, condition.variable).max
        ? `${condition.variable} is never above ${condition.threshold}`
        : null;
    case 'variable_below':
      if (!isKnown(scenario, condition.variable)) return null;
      return condition.threshold <= boundsOf(scenario, condition.variable).min
        ? `${condition.variable} is never below ${condition.threshold}`
        : null;
    default:
      return null;
  }
}

/** Why two conditions never hold together; values are whole numbers. */
function contradiction(one: Condition, other: Condition): string | null {
  if (one.type === 'flag' && other.type === 'no_flag' && one.flag_id === other.flag_id)
    return `${one.flag_id} cannot be raised and not raised`;
  if (one.type === 'variable_above' && other.type === 'variable_below' && one.variable === other.variable)
    return Math.floor(one.threshold) + 1 >= other.threshold
      ? `no value of ${one.variable} is above ${one.threshold} and below ${other.threshold}`
      : null;
  if (one.type === 'line' && other.type === 'line' && one.value !== other.value)
    return `one line is not both ${one.value} and ${other.value}`;
  return null;
}

/** Why a line is never said, whatever the player says; null when nothing proves that. */
function whyNever(scenario: Scenario, line: DemoLine): string | null {
  const conditions = conditionsIn(line);
  const { after } = line;
  const isEvent = (scenario.content.events ?? []).some(({ id }) => id === after);
  if (isEvent && conditions.some((one) => one.type === 'no_flag' && one.flag_id === after))
    return `${after} is raised once it has happened`;
  for (const one of conditions) {
    const alone = neverHolds(scenario, one);
    if (alone !== null) return alone;
    for (const other of conditions) {
      const together = contradiction(one, other);
      if (together !== null) return together;
    }
  }
  return null;
}

const keyOf = (condition: Condition): string => JSON.stringify(Object.entries(condition).sort());

/** How often at the most a line of this kind has its moment. */
function chances(scenario: Scenario, line: DemoLine): number {
  const { events = [], duration } = scenario.content;
  const event = events.find(({ id }) => id === line.after);
  const once = (event !== undefined && event.repeat !== true) || conditionsIn(line).some(({ type }) => type === 'line');
  return once ? 1 : duration.max_turns;
}

/** Lines before it that fit whenever it does: each is said first. */
function earlierThatFit(lines: readonly DemoLine[], index: number): number[] {
  const line = lines[index];
  if (line === undefined) return [];
  const asked = new Set(conditionsIn(line).map(keyOf));
  return lines.flatMap((earlier, at) =>
    at < index &&
    earlier.after === line.after &&
    (earlier.otherwise ?? false) === (line.otherwise ?? false) &&
    (earlier.signs === undefined || JSON.stringify(earlier.signs) === JSON.stringify(line.signs)) &&
    conditionsIn(earlier).every((condition) => asked.has(keyOf(condition)))
      ? [at]
      : [],
  );
}

/** Whether it is a move or a flag that only a model can tell. */
function needsModel({ content }: Scenario, id: string): boolean {
  const flags = content.flags ?? {};
  const flag = Object.hasOwn(flags, id) ? flags[id] : undefined;
  if (typeof flag === 'string') return true;
  const provable = content.moves?.find((move) => move.id === id) ?? flag;
  return provable !== undefined && (provable.signs ?? []).length === 0;
}

function checkScenario(pack: LoadedPack, scenario: Scenario): Finding[] {
  const lines = scenario.content.demo ?? [];
  const named = flagsOf(scenario);
  const { npc } = partsOf(pack, scenario);
  const emotions = npc === undefined ? null : emotionsOf(npc);
  const findings: Finding[] = [];
  const refuse = (keys: Keys, message: string, hint: string): void => {
    const severity = strictIn02(scenario);
    findings.push(reportAt(scenario, keys, { severity, rule: 'schema.scenario', message, hint }));
  };
  for (const [index, line] of lines.entries()) {
    const { after, says, emotion } = line;
    const keys = ['demo', index];
    if (after !== undefined)
      findings.push(...checkName(scenario, [...keys, 'after'], 'move, flag or event', after, named));
    const known = emotions?.find((one) => one.toLowerCase() === emotion?.toLowerCase());
    if (emotion !== undefined)
      findings.push(...checkName(scenario, [...keys, 'emotion'], 'emotion', known ?? emotion, emotions));
    if (line.otherwise === true && after !== undefined)
      refuse(
        [...keys, 'otherwise'],
        `This line answers ${after} and waits until nothing fits, at once.`,
        'Leave out after or otherwise.',
      );
    if (after !== undefined && needsModel(scenario, after))
      findings.push(
        reportAt(scenario, [...keys, 'after'], {
          severity: 'warning',
          rule: 'lint.demo',
          message: `${after} has no signs: without a model nobody can tell when it happened, and this line is never said.`,
          hint: `Give ${after} signs, or let the line answer something else.`,
        }),
      );
    const same = lines.findIndex((other) => other.says.trim() === says.trim());
    if (same !== index)
      refuse([...keys, 'says'], `The demo says this in demo[${same}] already.`, 'Say it in other words.');
    const never = whyNever(scenario, line);
    const before = earlierThatFit(lines, index);
    if (never !== null) refuse(keys, `This line is never said: ${never}.`, 'Change its conditions, or take it out.');
    else if (before.length >= chances(scenario, line))
      refuse(
        keys,
        `This line is never said: ${before.map((at) => `demo[${at}]`).join(', ')} fits whenever it does and comes first.`,
        'Move it up, or ask for more in when before it.',
      );
  }
  return findings;
}

/** The lines of the demo voice: what they answer, whether each can be said, and that none is there twice. */
export const checkDemo = (pack: LoadedPack): Finding[] =>
  withoutFollowOns(
    pack,
    pack.scenarios.flatMap((scenario) => checkScenario(pack, scenario)),
  );
