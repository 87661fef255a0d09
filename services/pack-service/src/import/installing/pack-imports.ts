import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type PackImport } from '@parley/shared/contracts';
import type { PackContext } from '../../context';
import { importPack, type Replace } from './install';
import { placeOf, type PackSource } from './stage-pack';

/** Ended imports that can still be asked for. */
const KEPT = 100;

interface Running {
  state: PackImport;
  readonly abort: AbortController;
  /** Never rejects. */
  done: Promise<void>;
}

const cancelled = (): ServiceError => new ServiceError('INVALID_STATE', 'The import was cancelled.');

const noImport = (): ServiceError =>
  new ServiceError(
    'NOT_FOUND',
    'This import is not known: the pack service was started again meanwhile, or it ended long ago. If the pack is not in the list, import it again.',
  );

/** Imports that nobody waits for: who has begun one asks how far it is. */
export class PackImports {
  private readonly all = new Map<string, Running>();

  constructor(private readonly context: PackContext) {}

  /**
   * Begins to import a pack. An uploaded file is kept until it is done.
   * @throws ServiceError VALIDATION_ERROR for a path that is not there.
   */
  async begin(source: PackSource, replace: Replace): Promise<PackImport> {
    await placeOf(source);
    const id = randomUUID();
    const kept = source.uploaded ? await this.keep(source, id) : source;
    const running: Running = {
      state: {
        id,
        status: 'queued',
        files_done: 0,
        files_total: null,
        findings: [],
        pack_id: null,
        code: null,
        message: null,
        details: null,
      },
      abort: new AbortController(),
      done: Promise.resolve(),
    };
    this.all.set(id, running);
    this.forgetOldest();
    running.done = this.run(running, kept, replace);
    return running.state;
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): PackImport {
    const running = this.all.get(id);
    if (running === undefined) throw noImport();
    return running.state;
  }

  /**
   * Cancels an import and waits until nothing is left of it. One that has failed or was cancelled stays as it is.
   * @throws ServiceError NOT_FOUND; INVALID_STATE when it is too late
   */
  async cancel(id: string): Promise<void> {
    const running = this.all.get(id);
    if (running === undefined) throw noImport();
    if (!['installing', 'installed'].includes(running.state.status)) running.abort.abort(cancelled());
    await running.done;
    if (running.state.status === 'installed')
      throw new ServiceError('INVALID_STATE', 'The pack is installed already. Uninstall it instead.', {
        details: { operation: 'cancelPackImport', allowed_in: ['queued', 'unpacking', 'checking'] },
      });
  }

  /** Waits for those that run; the queue has ended them. */
  async settled(): Promise<void> {
    await Promise.all([...this.all.values()].map((one) => one.done));
  }

  private async run(running: Running, source: PackSource, replace: Replace): Promise<void> {
    const change = (members: Partial<PackImport>): void => {
      running.state = { ...running.state, ...members };
    };
    const { signal } = running.abort;
    try {
      const { pack, findings } = await importPack(this.context, source, {
        signal,
        replace,
        progress: ({ stage, files_done, files_total }) => change({ status: stage, files_done, files_total }),
        installing: () => {
          signal.throwIfAborted();
          change({ status: 'installing' });
        },
      }).finally(() => (source.uploaded ? rm(source.path, { force: true }) : undefined));
      change({ status: 'installed', pack_id: pack.pack_id, findings });
    } catch (error) {
      if (signal.aborted) change({ status: 'cancelled' });
      else change({ status: 'failed', ...this.failureOf(error) });
    }
  }

  private failureOf(error: unknown): Pick<PackImport, 'findings' | 'code' | 'message' | 'details'> {
    if (error instanceof ServiceError) {
      const { findings = [], ...details } = error.details ?? {};
      return {
        findings: findings as PackImport['findings'],
        code: error.code,
        message: error.message,
        details: Object.keys(details).length > 0 ? details : null,
      };
    }
    this.context.logger.error({ err: error }, 'import failed');
    return {
      findings: [],
      code: 'INTERNAL',
      message: 'Something went wrong inside Parley; the logs say what.',
      details: null,
    };
  }

  /** Where uploads lie belongs to the request, which ends before the import does. */
  private async keep(source: PackSource, id: string): Promise<PackSource> {
    const { staging } = this.context.folders;
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const file = path.join(staging, `upload-${id}`);
    await rename(source.path, file);
    return { path: file, uploaded: true };
  }

  private forgetOldest(): void {
    const ended = [...this.all].filter(([, { state }]) => ['installed', 'failed', 'cancelled'].includes(state.status));
    for (const [id] of ended.slice(0, Math.max(0, ended.length - KEPT))) this.all.delete(id);
  }
}
