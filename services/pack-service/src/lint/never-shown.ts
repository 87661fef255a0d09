import type { Condition, Finding, ScenarioContent } from '@parley/shared/contracts';
import { reportAt, type Keys } from '../import/validating/file-report';
import type { LoadedFile } from '../import/validating/load-pack';
import { because, listOf, variablesExist, worldsOf } from './reachability';

interface Waiting {
  readonly keys: Keys;
  readonly rule: 'lint.dead-secret' | 'lint.dead-hint' | 'lint.dead-outcome';
  /** As the message begins: The secret her_signature. */
  readonly name: string;
  readonly when: readonly Condition[];
}

const keyOf = (condition: Condition): string => JSON.stringify(Object.entries(condition).sort());

/** The first hint that fits is shown: one before it whose conditions are all among its own always comes first. */
function hiddenBehind({ hints }: ScenarioContent, index: number): number {
  const asked = new Set(hints[index]?.when.map(keyOf));
  return hints.findIndex((earlier, at) => at < index && earlier.when.every((condition) => asked.has(keyOf(condition))));
}

/** Raised and not raised, or a value above and below: conditions of one thing that never hold together. */
function contradicts(when: readonly Condition[]): boolean {
  return when.some((one) =>
    when.some((other) => {
      if (one.type === 'flag') return other.type === 'no_flag' && other.flag_id === one.flag_id;
      if (one.type === 'line') return other.type === 'line' && other.value !== one.value;
      return (
        one.type === 'variable_above' &&
        other.type === 'variable_below' &&
        other.variable === one.variable &&
        Math.floor(one.threshold) + 1 >= other.threshold
      );
    }),
  );
}

/** Secrets that the character can never give away, hints and lines of the outcome that nobody can ever see. */
export function findNeverShown(scenario: LoadedFile<'scenario'>, content: ScenarioContent): Finding[] {
  const worlds = worldsOf(content);
  const presets = worlds.map(({ difficulty }) => difficulty);
  const limit = content.duration.max_turns;
  const waiting: Waiting[] = [
    ...content.secrets.map(({ id, when }, index): Waiting => ({
      keys: ['secrets', index],
      rule: 'lint.dead-secret',
      name: `The secret ${id}`,
      when,
    })),
    ...content.hints.map(({ when }, index): Waiting => ({
      keys: ['hints', index],
      rule: 'lint.dead-hint',
      name: 'This hint',
      when,
    })),
    ...content.outcome.flatMap(({ when }, index): Waiting[] =>
      when.length === 0
        ? []
        : [{ keys: ['outcome', index], rule: 'lint.dead-outcome', name: 'This line of the outcome', when }],
    ),
  ];
  const warn = ({ keys, rule }: Waiting, message: string, hint: string): Finding =>
    reportAt(scenario, keys, { severity: 'warning', rule, message, hint });
  const unreachable = waiting.flatMap((one): Finding[] => {
    if (!variablesExist(content, one.when)) return [];
    const isSecret = one.rule === 'lint.dead-secret';
    const said = isSecret ? 'can never come out' : 'is never shown';
    if (contradicts(one.when))
      return [warn(one, `${one.name} ${said}: its conditions contradict each other.`, 'Take one of them out.')];
    const never = worlds.filter(({ reach }) => reach.turnsTo(one.when) > limit).map(({ difficulty }) => difficulty);
    if (never.length === 0) return [];
    const where = listOf(never, presets, content.difficulty.declared);
    return [
      warn(
        one,
        `${one.name} ${said} within ${limit} turns${where}${because(worlds, never, one.when, limit)}`,
        'Look at what its conditions ask for.',
      ),
    ];
  });
  const hidden = content.hints.flatMap((_hint, index): Finding[] => {
    const before = hiddenBehind(content, index);
    if (before < 0) return [];
    return [
      reportAt(scenario, ['hints', index], {
        severity: 'warning',
        rule: 'lint.dead-hint',
        message: `This hint is never shown: hints[${before}] fits whenever it does and comes first.`,
        hint: 'Move it up, or ask for more in when before it.',
      }),
    ];
  });
  return [...unreachable, ...hidden];
}
