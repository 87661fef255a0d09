import type { Finding } from '@parley/shared/contracts';
import { keysOfPath, parseMemberPath, valueAtKeys } from '../catalogue/member-path';
import { reportAt } from '../import/validating/file-report';
import type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
import { partsOf } from '../import/validating/references';
import { scenarioOf } from '../import/validating/scenario-names';

/** `member=value`, quotes around the value or not; null when it is something else. Linear: texts of strangers come here. */
function parsePair(text: string): { member: string; wanted: string } | null {
  const sign = text.indexOf('=');
  const member = text.slice(0, Math.max(0, sign)).trim();
  const value = text.slice(sign + 1).trim();
  if (!/^[A-Za-z_]\w*$/.test(member) || !/^.+$/.test(value)) return null;
  return { member, wanted: value.replace(/^(['"])(.*)\1$/, '$2') };
}

/** `null`: there is no such check. */
export function evaluateCheck(check: string, value: unknown): boolean | null {
  const text = check.trim();
  const verb = /^\S*/.exec(text)?.[0] ?? '';
  const rest = text.slice(verb.length).trimStart();
  const argument = rest.trim().replace(/^(['"])(.*)\1$/s, '$2');
  const numbers = (rest.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const size = /^min_length_(\d+)$/.exec(text);
  if (size !== null) return (typeof value === 'string' || Array.isArray(value)) && value.length >= Number(size[1]);
  if (text === 'non_empty_string') return typeof value === 'string' && value.trim() !== '';
  if (text === 'non_null') return value !== undefined && value !== null;
  if (verb === 'equals') return String(value) === argument;
  if (verb === 'contains') {
    if (typeof value === 'string') return value.includes(argument);
    if (Array.isArray(value)) return value.some((item) => String(item) === argument);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, argument);
  }
  if (verb === 'between' && numbers.length === 2)
    return typeof value === 'number' && value >= (numbers[0] ?? 0) && value <= (numbers[1] ?? 0);
  if (verb === 'gte' && numbers.length === 1) return typeof value === 'number' && value >= (numbers[0] ?? 0);
  if (verb === 'lte' && numbers.length === 1) return typeof value === 'number' && value <= (numbers[0] ?? 0);
  const pairs = text.split(/(?<=\s)AND(?=\s)/).map(parsePair);
  if (pairs.every((pair) => pair !== null)) {
    const fits = (item: unknown): boolean =>
      pairs.every((pair) => String(valueAtKeys(item, [pair.member])) === pair.wanted);
    return Array.isArray(value) ? (value as unknown[]).some(fits) : fits(value);
  }
  return null;
}

/** Evaluates what an author says must be true of a pack's own files. What is not is a warning, and so is an unknown check. */
export function checkStaticAssertions(pack: LoadedPack, file: LoadedFile<'tests'>): Finding[] {
  const scenario = scenarioOf(pack, file);
  if (scenario === undefined) return [];
  const { npc, policy } = partsOf(pack, scenario);
  // The files as they are written: an assertion is about them, not about what stands in for a slip.
  const written = scenario.document.value;
  const roots: Readonly<Record<string, unknown>> = {
    scenario: written,
    manifest: pack.manifest?.document.value,
    npc: npc?.document.value,
    safety: policy?.document.value,
  };
  const lookUp = (path: string): { found: boolean; value: unknown } | null => {
    const steps = parseMemberPath(path);
    if (steps === null) return null;
    // A bare path is one of the scenario; `npc.ref` is bare although it begins like a root.
    for (const candidate of [roots, written]) {
      const keys = keysOfPath(candidate, steps);
      if (keys !== null) return { found: true, value: valueAtKeys(candidate, keys) };
    }
    return { found: false, value: undefined };
  };
  return (file.content.static_assertions ?? []).flatMap((assertion, index): Finding[] => {
    const at = (member: 'path' | 'check', rule: string, message: string, hint: string): Finding[] => [
      reportAt(file, ['static_assertions', index, member], { severity: 'warning', rule, message, hint }),
    ];
    const looked = lookUp(assertion.path);
    if (looked === null)
      return at('path', 'lint.unknown-path', 'This is no path.', 'Write it as scenario.events[id=x].when.');
    const result = evaluateCheck(assertion.check, looked.value);
    if (result === null)
      return at(
        'check',
        'lint.unknown-check',
        'There is no such check.',
        'Checks: non_empty_string, non_null, min_length_N, equals V, contains V, between A B, gte N, lte N, member=value AND member=value.',
      );
    if (result) return [];
    return at(
      'check',
      'lint.static-assertion',
      looked.found ? 'The assertion does not hold.' : 'There is nothing at this path.',
      'Mend the file, or the assertion.',
    );
  });
}
