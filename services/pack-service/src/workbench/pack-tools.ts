/** What the workbench takes of the rest of pack-service: all of it in one place. */
export { leftoverIn, nameProblem } from '../import/validating/check-name';
export { copyFolder } from '../import/installing/copy-folder';
export { roleOf } from '../import/validating/file-kinds';
export { boundedFindings, inFileOrder } from '../import/validating/finding';
export { importPack } from '../import/installing/install';
export type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
export { ChangedWhileReadError, openInside } from '../import/validating/open-inside';
export { isOutOfRoom } from '../import/installing/out-of-room';
export type { PackJob, PackMessage } from '../import/installing/pack-job';
export { decodeText, parseYaml } from '../import/validating/parse-yaml';
export { runPackChild, type PackChildOptions } from '../import/installing/run-pack-child';
export { readTree } from '../import/validating/read-tree';
export { validatePack, type Validation } from '../import/validating/validate-pack';
export { worldsOf } from '../lint/reachability';
