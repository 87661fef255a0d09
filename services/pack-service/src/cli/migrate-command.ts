import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import type { Finding } from '@parley/shared/contracts';
import { migrateFile } from '../authoring/migrate-file';
import { roleOf } from '../import/validating/file-kinds';
import { readTree } from '../import/validating/read-tree';
import { validatePack } from '../import/validating/validate-pack';
import type { CommandOutput } from './command-output';
import { formatFindings } from './format-findings';
import type { Terminal } from './pack-answers';
import { plural } from './plural';
import { UsageError } from './usage-error';

interface Change {
  /** Path inside of the pack. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

async function changesOf(folder: string): Promise<Change[]> {
  const tree = await readTree(folder);
  const changes: Change[] = [];
  for (const { path: file } of tree.files) {
    const role = roleOf(file);
    if (role.role !== 'yaml') continue;
    const before = await readFile(path.join(folder, ...file.split('/')), 'utf8');
    const after = migrateFile(role.kind, before);
    if (after !== before) changes.push({ file, before, after });
  }
  return changes;
}

async function write(folder: string, changes: readonly Change[]): Promise<void> {
  for (const { file, after } of changes) await writeFile(path.join(folder, ...file.split('/')), after);
}

/** What would be wrong with the pack after the changes; it is tried on a copy. */
async function errorsAfter(folder: string, changes: readonly Change[]): Promise<Finding[]> {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'parley-migrate-'));
  try {
    await cp(folder, copy, { recursive: true });
    await write(copy, changes);
    return (await validatePack(copy)).findings.filter(({ severity }) => severity === 'error');
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function isAgreed(terminal: Terminal, question: string): Promise<boolean> {
  const asking = createInterface(terminal);
  try {
    return /^y(es)?$/i.test((await asking.question(question)).trim());
  } finally {
    asking.close();
  }
}

/**
 * Turns the files of a pack from format 0.1 to 0.2: shows what changes, and writes it when that is agreed to. Nothing is written
 * when the pack has errors, before or after.
 * @param agreed write without asking
 * @returns whether the pack is in 0.2 now, or nothing kept it from being so
 * @throws UsageError when there is no such folder
 */
export async function migratePack(
  given: string,
  agreed: boolean,
  output: CommandOutput,
  terminal: Terminal | null,
): Promise<boolean> {
  const folder = path.resolve(given);
  if (!existsSync(path.join(folder, 'manifest.yaml')))
    throw new UsageError(`${given} is no folder of a pack: name one with a manifest.yaml.`);
  const refuse = (errors: readonly Finding[], line: string): boolean => {
    output.stdout(formatFindings([{ prefix: given, valid: false, findings: errors, extra: {} }], 'text'));
    output.stderr(`${line}\n`);
    return false;
  };
  const errors = (await validatePack(folder)).findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return refuse(errors, 'Nothing was written. Mend these errors first.');
  const changes = await changesOf(folder);
  if (changes.length === 0) {
    output.stderr('There is nothing to do: every file is in format 0.2.\n');
    return true;
  }
  for (const { file, before, after } of changes)
    output.stdout(createTwoFilesPatch(file, file, before, after, '0.1', '0.2'));
  const left = await errorsAfter(folder, changes);
  if (left.length > 0)
    return refuse(left, 'Nothing was written: format 0.2 is stricter here. Mend these in the files as they are first.');
  const files = plural(changes.length, 'file');
  if (!agreed && terminal === null) {
    output.stderr(`Nothing was written. Add --write to change ${files}.\n`);
    return true;
  }
  if (!agreed && terminal !== null && !(await isAgreed(terminal, `Change ${files} in ${given}? [y/N] `))) {
    output.stderr('Nothing was written.\n');
    return true;
  }
  await write(folder, changes);
  output.stderr(
    `Changed ${files}. Raise version in manifest.yaml before you share it; npm run packs -- lint ${given} says what 0.2 offers.\n`,
  );
  return true;
}
