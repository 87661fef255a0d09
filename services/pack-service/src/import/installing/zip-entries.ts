import type { Entry } from 'yauzl';
import type { Finding } from '@parley/shared/contracts';
import { foldedName, leftoverIn, nameProblem } from '../validating/check-name';
import { finding } from '../validating/finding';

const MAX_FINDINGS = 100;
const FLAG_ENCRYPTED = 0x1;
const FLAG_STRONG_ENCRYPTION = 0x40;
const FLAG_MASKED_HEADERS = 0x2000;
/** Methods of packing that are accepted. */
export const STORED = 0;
const DEFLATED = 8;
const MADE_ON_UNIX = 3;
const FILE_KIND = 0xf000;
const LINK = 0xa000;
const REGULAR = 0x8000;
const FOLDER = 0x4000;

export interface PackEntry {
  readonly entry: Entry;
  /** In NFC, without a slash at its end. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly skipped: boolean;
}

/** The name as UTF-8, whatever the flag says; null when the bytes are something else. */
function decodeName(entry: Entry): string | null {
  try {
    // With decodeStrings off, yauzl gives the bytes.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(entry.fileName as unknown as Buffer)
      .normalize('NFC');
  } catch {
    return null;
  }
}

function entryProblem(entry: Entry, name: string, isFolder: boolean): { rule: string; message: string } | null {
  const flags = entry.generalPurposeBitFlag;
  if ((flags & (FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_MASKED_HEADERS)) !== 0)
    return { rule: 'zip.encrypted', message: 'Encrypted entries are not accepted.' };
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return { rule: 'zip.method', message: 'The entry is packed by a method that is not accepted.' };
  const madeOn = entry.versionMadeBy >>> 8;
  const kind = (entry.externalFileAttributes >>> 16) & FILE_KIND;
  // Some archivers write modes under another system's number: a link is a link whatever the number says.
  if (kind === LINK) return { rule: 'zip.symlink', message: 'Symbolic links are not accepted.' };
  if (madeOn === MADE_ON_UNIX && kind !== 0 && kind !== (isFolder ? FOLDER : REGULAR))
    return { rule: 'zip.special-file', message: 'The entry is no regular file or folder.' };
  if (isFolder && entry.uncompressedSize !== 0) return { rule: 'zip.invalid', message: 'A folder holds data.' };
  const problem = nameProblem(name);
  return problem === null ? null : { rule: `zip.${problem.rule}`, message: problem.message };
}

/** Names, kinds and flags of all entries; what is wrong is added to the findings. @returns those that may be unpacked */
export function checkEntries(entries: readonly Entry[], findings: Finding[]): PackEntry[] {
  const add = (rule: string, file: string, message: string): void => {
    if (findings.length < MAX_FINDINGS)
      findings.push(
        finding({
          rule,
          file: file.slice(0, 300),
          message,
          hint: 'Make the archive anew from the folder of the pack.',
        }),
      );
  };
  const accepted: PackEntry[] = [];
  const names = new Map<string, { name: string; isFolder: boolean }>();
  const skippedAlready = new Set<string>();
  for (const entry of entries) {
    const decoded = decodeName(entry);
    if (decoded === null) {
      add('zip.name', '', 'The name of an entry is not UTF-8.');
      continue;
    }
    const isFolder = decoded.endsWith('/');
    const name = isFolder ? decoded.slice(0, -1) : decoded;
    const problem = entryProblem(entry, name, isFolder);
    if (problem !== null) {
      add(problem.rule, name, problem.message);
      continue;
    }
    const folded = foldedName(name);
    const other = names.get(folded);
    if (other !== undefined && !(other.isFolder && isFolder))
      add('zip.duplicate', name, `On some systems this is the same as ${other.name}.`);
    names.set(folded, { name, isFolder });
    const leftover = leftoverIn(name);
    // One finding for all that lies in it: a repository has thousands of files.
    if (leftover !== null && !skippedAlready.has(leftover) && findings.length < MAX_FINDINGS)
      findings.push(
        finding({
          severity: 'warning',
          rule: 'file.skipped',
          file: leftover,
          message: 'This is no part of a pack, but of the system, an editor or version control; it is skipped.',
          hint: null,
        }),
      );
    if (leftover !== null) skippedAlready.add(leftover);
    accepted.push({ entry, name, isFolder, skipped: leftover !== null });
  }
  for (const { name } of accepted)
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      const parent = names.get(foldedName(name.slice(0, slash)));
      if (parent?.isFolder === false) add('zip.duplicate', name, `${parent.name} is a file and a folder.`);
    }
  return accepted;
}

/** The one folder that holds the whole pack, with its slash, or '' when the archive's root is the pack. */
export function wrappingFolder(entries: readonly PackEntry[]): string {
  const kept = entries.filter((one) => !one.skipped);
  if (kept.some((one) => one.name === 'manifest.yaml')) return '';
  const tops = new Set(kept.map((one) => one.name.split('/')[0] ?? ''));
  const [top] = tops;
  if (tops.size !== 1 || top === undefined || !kept.some((one) => one.name.startsWith(`${top}/`))) return '';
  return `${top}/`;
}
