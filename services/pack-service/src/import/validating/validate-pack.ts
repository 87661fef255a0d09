import type { Finding } from '@parley/shared/contracts';
import { lintPack, type EndingReach } from '../../lint/lint-pack';
import { compilePack, type TranslatedScenario } from '../../catalogue/compile-pack';
import { checkDemo } from './check-demo';
import { checkJudging } from './check-judging';
import { checkNames } from './check-names';
import { checkReferences } from './check-references';
import { checkRules } from './check-rules';
import { hasErrors, inFileOrder } from './finding';
import { inspectFiles, type Asset } from './inspect-files';
import { loadPack, type LoadedPack } from './load-pack';
import { checkFileCounts, checkLanguageCounts, compiledTooLarge } from './pack-limits';
import { readTree } from './read-tree';
import { treeHash } from './tree-hash';

/** What the validation of a pack found, and the pack itself as far as it could be read. */
export interface Validation {
  readonly valid: boolean;
  /** All of them, in the order of files and lines. */
  readonly findings: readonly Finding[];
  readonly pack: LoadedPack;
  readonly assets: readonly Asset[];
  /** Empty when the pack is not valid. */
  readonly scenarios: readonly TranslatedScenario[];
  /** How soon each ending can come; a note for authors. */
  readonly endings: readonly EndingReach[];
  /** Of all files. The same hash means the same pack. */
  readonly content_hash: string;
}

/** Told how many files were looked at, of how many. */
export type CheckProgress = (done: number, total: number | null) => void;

/**
 * Validates the pack whose root is the folder `root` by all rules, and makes its scenarios whole when it is valid. The
 * folder is only read. Made for a process of its own: it mostly does not wait, and a hostile pack takes what it can get.
 */
export async function validatePack(root: string, progress: CheckProgress = () => undefined): Promise<Validation> {
  const tree = await readTree(root, { progress: (done) => progress(done, null) });
  const inspection = await inspectFiles(tree);
  const counts = checkFileCounts(tree);
  if (counts.length > 0) {
    const { pack } = await loadPack({ ...tree, files: [] });
    const findings = inFileOrder([...counts, ...inspection.findings]);
    const content_hash = treeHash(tree.files);
    return { valid: false, findings, pack, assets: inspection.assets, scenarios: [], endings: [], content_hash };
  }
  const { pack, findings: readingFindings } = await loadPack(tree, (done) => progress(done, tree.files.length));
  progress(tree.files.length, tree.files.length);
  const tooManyLanguages = checkLanguageCounts(pack);
  const found = [
    ...inspection.findings,
    ...readingFindings,
    ...tooManyLanguages,
    ...checkReferences(pack),
    ...checkNames(pack),
    ...checkRules(pack),
    ...checkJudging(pack),
    ...checkDemo(pack),
  ];
  const { scenarios: compiled, tooLarge } =
    tooManyLanguages.length > 0 ? { scenarios: [], tooLarge: false } : compilePack(pack);
  if (tooLarge) found.push(compiledTooLarge());
  const lint = lintPack(pack, compiled, inspection.assets);
  const findings = inFileOrder([...found, ...lint.findings]);
  const valid = !hasErrors(findings);
  return {
    valid,
    findings,
    pack,
    assets: inspection.assets,
    scenarios: valid ? compiled : [],
    endings: lint.endings,
    content_hash: treeHash(tree.files),
  };
}
