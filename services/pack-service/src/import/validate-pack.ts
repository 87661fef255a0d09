import type { Finding } from '@parley/shared/contracts';
import { lintPack, type EndingReach } from '../lint/lint-pack';
import { compilePack, type CompiledScenario } from '../catalogue/compile-pack';
import { contentHash } from '../catalogue/content-hash';
import { checkNames } from './check-names';
import { checkReferences } from './check-references';
import { checkRules } from './check-rules';
import { hasErrors, inFileOrder } from './finding';
import { inspectFiles, type Asset } from './inspect-files';
import { loadPack, type LoadedPack } from './load-pack';
import { readTree } from './read-tree';

/** Grows when the compiler makes something else out of the same files: installed packs are then compiled again. */
const COMPILER_VERSION = 1;

/** What the validation of a pack found, and the pack itself as far as it could be read. */
export interface Validation {
  readonly valid: boolean;
  /** All of them, in the order of files and lines. */
  readonly findings: readonly Finding[];
  readonly pack: LoadedPack;
  readonly assets: readonly Asset[];
  /** Empty when the pack is not valid. */
  readonly scenarios: readonly CompiledScenario[];
  /** How soon each ending can come; a note for authors. */
  readonly endings: readonly EndingReach[];
  /** Of all files. The same hash means the same pack. */
  readonly content_hash: string;
}

/**
 * Validates the pack whose root is the folder `root` by all rules, and makes its scenarios whole when it is valid. The
 * folder is only read.
 */
export async function validatePack(root: string): Promise<Validation> {
  const tree = await readTree(root);
  const inspection = await inspectFiles(tree);
  const { pack, findings: readingFindings } = await loadPack(tree);
  const found = [
    ...inspection.findings,
    ...readingFindings,
    ...checkReferences(pack),
    ...checkNames(pack),
    ...checkRules(pack),
  ];
  const compiled = compilePack(pack);
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

/** Hash of all files of a pack with their paths, and of the compiler that reads them. */
export const treeHash = (files: readonly { readonly path: string; readonly sha256: string }[]): string =>
  contentHash({ compiler: COMPILER_VERSION, files: files.map(({ path, sha256 }) => [path, sha256]) });
