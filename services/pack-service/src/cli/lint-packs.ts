import { existsSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Finding } from '@parley/shared/contracts';
import type { PackChildOptions } from '../import/installing/run-pack-child';
import type { EndingReach } from '../lint/lint-pack';
import { readPack } from './read-packs';

/** What is told of a pack, as plain data that one thread hands to another. */
export interface LintedPack {
  /** How its files are named in findings. */
  readonly prefix: string;
  /** Whether it has no errors. */
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly endings: readonly EndingReach[];
}

/** What a thread is given at its start. */
export interface LintShare {
  readonly packs: readonly string[];
  readonly unpack: PackChildOptions;
  /** Shared by all threads: how many packs are taken. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** What a thread says of a pack: which one of the list, and what was found. */
export type LintMessage = readonly [index: number, pack: LintedPack];

/** Parsing takes memory as well as time. */
const MOST_THREADS = 4;
/** A new thread loads the program and is slow at first: fewer bytes of YAML are read sooner by one alone. */
const LEAST_BYTES = 4 * 1024 * 1024;

/**
 * Megabytes for new objects in a thread. Parsing makes many that are soon garbage: with the default of 16 a fifth of the time goes into
 * collecting them again and again.
 */
const YOUNG_GENERATION_MB = 64;

/** Bytes of YAML in a folder; an archive counts as it is. */
function bytesOf(pack: string): number {
  if (!statSync(pack).isDirectory()) return statSync(pack).size;
  return readdirSync(pack, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .reduce((bytes, { parentPath, name }) => bytes + statSync(path.join(parentPath, name)).size, 0);
}

/** How many threads pay off; 0: this one reads them all. */
function threadsFor(packs: readonly string[]): number {
  const useful = Math.min(os.availableParallelism(), MOST_THREADS, packs.length);
  const isLarge = useful > 1 && packs.reduce((bytes, pack) => bytes + bytesOf(pack), 0) >= LEAST_BYTES;
  return isLarge ? useful : 0;
}

/** Reads one pack after the other of those that no other thread has taken, until there are no more. */
export async function lintShare({ packs, unpack, taken }: LintShare, tell: (message: LintMessage) => void) {
  for (;;) {
    const index = Atomics.add(taken, 0, 1);
    const given = packs[index];
    if (given === undefined) return;
    const { prefix, validation, findings } = await readPack(given, unpack);
    const valid = validation !== null && findings.every(({ severity }) => severity !== 'error');
    tell([index, { prefix, valid, findings, endings: validation?.endings ?? [] }]);
  }
}

/** The program of a thread: beside this file; tests run it from its sources, as they do the process for archives. */
function threadOf(share: LintShare): Worker | null {
  const { childPath, nodeArguments = [] } = share.unpack;
  const program = path.join(__dirname, childPath?.endsWith('.ts') === true ? 'lint-thread.ts' : 'lint-thread.js');
  if (!existsSync(program)) return null;
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  return new Worker(program, { workerData: share, execArgv: [...nodeArguments], resourceLimits });
}

/**
 * Checks packs; many or large ones on several cores, where each thread takes the next pack that is left.
 * @param packs folders with a manifest.yaml, and archives
 * @param wanted threads to begin; without one this thread does it
 * @returns what was found, in the order of the packs
 */
export async function lintPacks(
  packs: readonly string[],
  unpack: PackChildOptions = {},
  wanted = threadsFor(packs),
): Promise<LintedPack[]> {
  if (packs.length === 0) return [];
  const share: LintShare = { packs, unpack, taken: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = Array.from({ length: wanted }, () => threadOf(share)).filter((one) => one !== null);
  try {
    return await new Promise((resolve, reject) => {
      const linted = new Map<number, LintedPack>();
      // A thread that is still starting when all is done is not waited for.
      const tell = ([index, pack]: LintMessage): void => {
        linted.set(index, pack);
        if (linted.size === packs.length) resolve(packs.flatMap((_, at) => linted.get(at) ?? []));
      };
      for (const thread of threads) thread.on('message', tell).once('error', reject);
      if (threads.length === 0) lintShare(share, tell).catch(reject);
    });
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
