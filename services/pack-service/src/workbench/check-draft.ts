import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '@parley/shared/contracts';
import type { PackContext } from '../context';
import { DraftInspection } from './inspect-draft';
import { runPackChild, type PackChildOptions } from './pack-tools';

/** Twice what the scenarios of a pack may come to. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;
/** Somebody waits for it while they type. */
const TIMEOUT_MS = 60_000;

/** Beside this file, compiled or from the sources, as the process for imports is; below the bundle in dist/. */
function childOf({ childPath, ...options }: PackChildOptions): PackChildOptions {
  if (childPath?.endsWith('.ts') === true) return { ...options, childPath: path.join(__dirname, 'draft-child.ts') };
  const compiled = [path.join(__dirname, 'draft-child.js'), path.join(__dirname, 'workbench', 'draft-child.js')];
  return { ...options, ...compiled.filter((file) => existsSync(file)).map((file) => ({ childPath: file }))[0] };
}

const tooComplex = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The draft is too large to be checked. Make its longest files shorter.', {
    details: { service: 'pack_service' },
  });

/**
 * Looks at a draft in a process of its own.
 * @throws ServiceError SERVICE_UNAVAILABLE when it is too large for that; what the signal says
 */
export async function inspectInChild(
  context: PackContext,
  folder: string,
  signal?: AbortSignal,
): Promise<DraftInspection> {
  return context.queue.run(async (ended) => {
    const base = path.join(context.folders.staging, `check-${randomUUID()}`);
    await mkdir(base, { recursive: true, mode: 0o700 });
    try {
      const result = path.join(base, 'result');
      const job = { task: 'check', place: { kind: 'staged', path: folder }, folder: base, result } as const;
      const options = { timeoutMs: TIMEOUT_MS, ...childOf(context.packChild) };
      const end = await runPackChild(job, options, { signal: ended });
      if (end.findings === null || (await stat(result)).size > MAX_RESULT_BYTES) throw tooComplex();
      return DraftInspection.parse(JSON.parse(await readFile(result, 'utf8')));
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  }, signal);
}
