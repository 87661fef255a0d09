import { mkdirSync } from 'node:fs';
import { rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type InstallModelRequest, type ModelInstall } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import type { ActiveRuntime } from '../runtime/active-runtime';
import type { HostLookup } from './checked-lookup';
import { copyModelFile } from './copy-file';
import { downloadFile } from './download-file';
import type { FreeBytes } from './free-space';
import { readGgufHeader } from './gguf-header';
import { readGgufTensors } from './gguf-tensors';
import { hashFile } from './hash-file';
import { isUseless, messageOf } from './install-failure';
import {
  isRunning,
  partOwner,
  readInstallRecords,
  writeInstallRecords,
  type InstallRecord,
  type InstallSource,
} from './install-record';
import type { ModelFiles } from './model-files';
import { installSource, notSupported } from './install-source';

/** Finished installs that are remembered. */
const KEPT = 50;
/** How often progress goes to disk, at most. */
const SAVE_MS = 1_000;

export interface ModelInstallsOptions {
  readonly files: ModelFiles;
  /** The runtime that plays, which pulls models and may load their files. */
  readonly runtime: Pick<ActiveRuntime, 'provider' | 'takesModelFiles' | 'use'>;
  readonly logger: Logger;
  readonly newId: () => string;
  /** Resolves the names of hosts that models are fetched from. */
  readonly lookup: HostLookup;
  /** What is free on the disk that a model goes to. */
  readonly freeBytes: FreeBytes;
}

interface Running {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Installs of models: pulls by the runtime, downloads, and copies of local files. The list is on disk, so that an install
 * goes on where it was when the gateway starts again. Nothing is fetched that was not asked for by `install`.
 */
export class ModelInstalls {
  private records: InstallRecord[];
  private readonly running = new Map<string, Running>();
  private readonly listFile: string;
  private saving: Promise<void> = Promise.resolve();
  private savedAt = 0;
  private isClosing = false;

  constructor(private readonly options: ModelInstallsOptions) {
    this.listFile = path.join(options.files.folder, 'installs.json');
    this.records = readInstallRecords(this.listFile);
  }

  /** Goes on with what a stop or a crash interrupted. */
  resume(): void {
    for (const record of this.records.filter(isRunning)) {
      if (this.isPossible(record.source)) this.run(record);
      else
        this.change(record, { status: 'failed', message: 'The runtime was changed; install it again with this one.' });
    }
  }

  /** Newest first. */
  list(): ModelInstall[] {
    return this.records.map(({ install }) => install);
  }

  /** @throws ServiceError NOT_FOUND */
  get(id: string): ModelInstall {
    return this.recordOf(id).install;
  }

  /**
   * Begins an install.
   * @throws ServiceError NOT_SUPPORTED_BY_RUNTIME, MODEL_BUSY while the same model is being installed, VALIDATION_ERROR for
   * an address or a file that cannot be used.
   */
  async begin(request: InstallModelRequest): Promise<ModelInstall> {
    const { source, modelId } = await installSource(request, this.options.runtime);
    if (!this.isPossible(source)) throw notSupported(source);
    if (this.isInstalling(modelId))
      throw new ServiceError('MODEL_BUSY', 'This model is being installed already; wait for it, or cancel it first.');
    const install: ModelInstall = {
      id: this.options.newId(),
      model_id: modelId,
      status: 'queued',
      bytes_done: 0,
      bytes_total: null,
      message: null,
    };
    const record: InstallRecord = { install, source };
    const earlier = this.records;
    // Listed, and running, before anything is waited for: a second press of the button finds it, and so does a cancel.
    this.records = [record, ...earlier].slice(0, KEPT);
    const ready = this.adoptPart(record, earlier);
    // What begins while the gateway stops is for the next one.
    if (this.isClosing) await ready;
    else this.run(record, ready);
    await this.save();
    return install;
  }

  /** Stops an install, or forgets one that has ended; what is there of it is removed. @throws ServiceError NOT_FOUND */
  async cancel(id: string): Promise<void> {
    const record = this.recordOf(id);
    const running = this.running.get(id);
    if (running === undefined) {
      // The part is of the newest install of its model: with an older one nothing of it is forgotten.
      if (partOwner(this.records, record.install.model_id) === record) await this.removePart(record);
      this.records = this.records.filter((one) => one !== record);
    } else {
      this.change(record, { status: 'cancelled', message: null });
      running.abort.abort();
      await running.ended;
    }
    await this.save();
  }

  /** Whether a model is being installed. */
  isInstalling(modelId: string): boolean {
    return this.records.some((record) => isRunning(record) && record.install.model_id === modelId);
  }

  /** Stops what runs; it goes on at the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const { abort } of this.running.values()) abort.abort();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    await this.save();
  }

  private isPossible(source: InstallSource): boolean {
    const { runtime } = this.options;
    return source.kind === 'pull' ? runtime.provider.pull !== undefined : runtime.takesModelFiles;
  }

  private recordOf(id: string): InstallRecord {
    const record = this.records.find(({ install }) => install.id === id);
    if (record === undefined) throw new ServiceError('NOT_FOUND', 'There is no such install; list them and pick one.');
    return record;
  }

  /** @param ready what has to be done first. */
  private run(record: InstallRecord, ready: Promise<void> = Promise.resolve()): void {
    const abort = new AbortController();
    const ended = this.follow(record, ready, abort.signal)
      // Nobody waits for it: unheard, it would end the gateway.
      .catch((error: unknown) => this.options.logger.error({ err: error }, 'an install could not be followed'))
      .finally(() => this.running.delete(record.install.id));
    this.running.set(record.install.id, { abort, ended });
  }

  private async follow(record: InstallRecord, ready: Promise<void>, signal: AbortSignal): Promise<void> {
    const { logger } = this.options;
    const { id } = record.install;
    try {
      await ready;
      signal.throwIfAborted();
      await this.carryOut(record, signal);
      this.change(record, { status: 'installed', message: null });
      logger.info({ install_id: id, bytes: record.install.bytes_done }, 'model installed');
    } catch (error) {
      if (this.isClosing) return;
      const { source, install } = record;
      const isFinal = isUseless(error);
      const mayContinue = source.kind === 'url' && !isFinal;
      if (install.status === 'cancelled' || !mayContinue) await this.removePart(record);
      if (install.status !== 'cancelled') {
        this.change(record, { status: 'failed', message: messageOf(error) });
        logger.warn({ install_id: id, err: error }, 'model not installed');
      }
    }
    await this.save();
  }

  private async carryOut(record: InstallRecord, signal: AbortSignal): Promise<void> {
    const { source } = record;
    const { runtime, files } = this.options;
    this.change(record, { status: 'downloading' });
    if (source.kind === 'pull') {
      const onProgress = ({
        phase,
        ...bytes
      }: {
        phase: ModelInstall['status'];
        bytes_done: number;
        bytes_total: number | null;
      }): void => this.progress(record, { status: phase, ...bytes });
      await runtime.use(async (provider) => provider.pull?.(source.name, onProgress, signal));
      return;
    }
    files.ensureFolder();
    const partFile = this.partOf(record);
    if (source.kind === 'url' && (await this.isHere(record, source.sha256, signal))) return this.removePart(record);
    if (source.kind === 'file')
      await copyModelFile({
        from: source.path,
        to: partFile,
        signal,
        freeBytes: this.options.freeBytes,
        onProgress: (bytes_done, bytes_total) =>
          this.progress(record, { status: 'downloading', bytes_done, bytes_total }),
      });
    else
      await downloadFile({
        url: source.url,
        sha256: source.sha256,
        etag: source.etag,
        partFile,
        signal,
        lookup: this.options.lookup,
        freeBytes: this.options.freeBytes,
        keepVersion: async (etag) => {
          if (source.etag === etag) return;
          source.etag = etag;
          await this.save();
        },
        onProgress: ({ phase, ...bytes }) => this.progress(record, { status: phase, ...bytes }),
      });
    this.change(record, { status: 'verifying' });
    await readGgufHeader(partFile);
    await readGgufTensors(partFile);
    signal.throwIfAborted();
    await rename(partFile, files.pathOf(record.install.model_id));
  }

  /** Whether the very file is installed already: gigabytes are not fetched twice for a button that was pressed twice. */
  private async isHere(record: InstallRecord, sha256: string | null, signal: AbortSignal): Promise<boolean> {
    const { files } = this.options;
    const { model_id } = record.install;
    if (sha256 === null || !(await files.exists(model_id))) return false;
    const file = files.pathOf(model_id);
    const { size } = await stat(file);
    this.change(record, { status: 'verifying', bytes_total: size });
    const hash = await hashFile(file, { signal });
    const isSame = hash.digest('hex') === sha256;
    this.change(record, isSame ? { bytes_done: size } : { status: 'downloading', bytes_total: null });
    return isSame;
  }

  private partOf(record: InstallRecord): string {
    return `${this.options.files.pathOf(record.install.model_id)}.part`;
  }

  private async removePart(record: InstallRecord): Promise<void> {
    if (record.source.kind === 'pull') return;
    try {
      await unlink(this.partOf(record));
    } catch {
      // There is none; or the list holds a name that can be no file's.
    }
  }

  /**
   * What a failed install of the same address left is continued; what is left of anything else is removed. Addresses can end
   * in the same file name: the part is of whichever install came last.
   */
  private async adoptPart(record: InstallRecord, earlier: readonly InstallRecord[]): Promise<void> {
    const { source, install } = record;
    const owner = partOwner(earlier, install.model_id)?.source;
    if (source.kind === 'url' && owner?.kind === 'url' && owner.url === source.url) source.etag = owner.etag;
    else await this.removePart(record);
  }

  /** What was cancelled stays so, whatever is still under way; only what is installed in spite of it is called that. */
  private change(record: InstallRecord, members: Partial<ModelInstall>): void {
    if (record.install.status === 'cancelled' && members.status !== 'installed') return;
    record.install = { ...record.install, ...members };
  }

  private progress(record: InstallRecord, members: Partial<ModelInstall>): void {
    this.change(record, members);
    if (Date.now() - this.savedAt > SAVE_MS) void this.save();
  }

  /** One write at a time; a failed one must not stop an install. */
  private save(): Promise<void> {
    this.savedAt = Date.now();
    this.saving = this.saving.then(async () => {
      try {
        mkdirSync(this.options.files.folder, { recursive: true, mode: 0o700 });
        await writeInstallRecords(this.listFile, this.records);
      } catch (error) {
        this.options.logger.warn({ err: error }, 'the list of installs could not be saved');
      }
    });
    return this.saving;
  }
}
