import type { Finding } from '@parley/shared/contracts';
import { dotted, finding } from './finding';
import type { LoadedFile } from './load-pack';

export type Keys = readonly (string | number)[];

interface ReportInput {
  readonly rule: string;
  readonly message: string;
  readonly hint?: string | null;
  readonly severity?: Finding['severity'];
  /** The place is that of the last key, not of its value. */
  readonly atKey?: boolean;
}

/** A finding about a member of a file, at its place. */
export function reportAt(file: LoadedFile, keys: Keys, input: ReportInput): Finding {
  const { document } = file;
  return finding({
    rule: input.rule,
    file: file.path,
    place: input.atKey === true ? document.placeOfKey(keys) : document.placeOf(keys),
    path: dotted(keys),
    message: input.message,
    hint: input.hint ?? null,
    severity: input.severity ?? 'error',
  });
}

/** What format 0.2 forbids and 0.1, whose packs are published already, is only warned of. */
export const strictIn02 = (file: LoadedFile): Finding['severity'] =>
  file.content.schema_version === '0.2' ? 'error' : 'warning';
