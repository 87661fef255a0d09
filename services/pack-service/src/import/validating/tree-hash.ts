import { contentHash } from '../../catalogue/content-hash';

/**
 * Grows when the compiler makes something else out of the same files, or the checks refuse what they took before: installed
 * packs are then checked and compiled again.
 */
const COMPILER_VERSION = 2;

/** Hash of all files of a pack with their paths, and of the compiler that reads them. */
export const treeHash = (files: readonly { readonly path: string; readonly sha256: string }[]): string =>
  contentHash({ compiler: COMPILER_VERSION, files: files.map(({ path, sha256 }) => [path, sha256]) });
