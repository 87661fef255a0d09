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

/** `turns[2].expect` out of its parts, as findings say it. */
export function dotted(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}
