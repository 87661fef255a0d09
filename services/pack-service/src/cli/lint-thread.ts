import { parentPort, workerData } from 'node:worker_threads';
import { lintShare, type LintShare } from './lint-packs';

/** A thread of its own that reads its share of many packs. */
void lintShare(workerData as LintShare, (message) => parentPort?.postMessage(message));
