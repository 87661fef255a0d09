import type { Finding } from '@parley/shared/contracts';

export interface Place {
  readonly line: number | null;
  readonly column: number | null;
}

export interface FindingInput {
  readonly severity?: Finding['severity'];
  readonly rule: string;
  readonly file: string;
  readonly message: string;
  readonly hint?: string | null;
  readonly path?: string | null;
  readonly place?: Place | null;
}

/** A finding with what is left out filled in: an error without a place, unless said otherwise. */
export function finding(input: FindingInput): Finding {
  return {
    severity: input.severity ?? 'error',
    rule: input.rule,
    file: input.file,
    line: input.place?.line ?? null,
    column: input.place?.column ?? null,
    path: input.path ?? null,
    message: input.message,
    hint: input.hint ?? null,
  };
}

export const hasErrors = (findings: readonly Finding[]): boolean => findings.some((one) => one.severity === 'error');

/** Sorted by file and place, the pack as a whole first, without repetitions. */
export function inFileOrder(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  const unique = findings.filter((one) => {
    const key = JSON.stringify([one.rule, one.file, one.line, one.column, one.path, one.message]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return unique.sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

/** What a person can read, and what is kept with a pack and answered with it. */
const MAX_FINDINGS = 1_000;
const MAX_TEXT = 1_000;

const cut = <T extends string | null>(text: T): T =>
  text !== null && text.length > MAX_TEXT ? (`${text.slice(0, MAX_TEXT)}…` as T) : text;

/**
 * The findings in their order, errors before warnings when there are too many of both, and texts cut where somebody made
 * them long.
 */
export function boundedFindings(findings: readonly Finding[]): Finding[] {
  const errors = findings.filter((one) => one.severity === 'error').length;
  let room = { error: Math.min(errors, MAX_FINDINGS), warning: Math.max(0, MAX_FINDINGS - errors) };
  const kept = findings.filter(({ severity }) => {
    room = { ...room, [severity]: room[severity] - 1 };
    return room[severity] >= 0;
  });
  const left = findings.length - kept.length;
  const bounded = kept.map((one) => ({
    ...one,
    file: cut(one.file),
    path: cut(one.path),
    message: cut(one.message),
    hint: cut(one.hint),
  }));
  if (left === 0) return bounded;
  const more = finding({
    severity: errors > MAX_FINDINGS ? 'error' : 'warning',
    rule: 'pack.too-many-findings',
    file: '',
    message: `There are ${left} more findings.`,
    hint: 'Mend these first; npm run packs -- lint names all of them.',
  });
  return [more, ...bounded];
}

/** `turns[2].expect` out of its parts, as findings say it. */
export function dotted(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}
