import { mkdirSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type RuntimeModel } from '@parley/shared/contracts';
import { readGgufHeader, type GgufHeader } from './gguf-header';

/** A name that is a file's own on every system, and nothing else. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.gguf$/i;

interface Known {
  readonly mtimeMs: number;
  readonly size: number;
  readonly header: GgufHeader | null;
}

/** Also a link that leads nowhere. */
const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The folder of installed GGUF files. Unfinished ones (`.part`) are never listed. */
export class ModelFiles {
  private readonly known = new Map<string, Known>();

  constructor(readonly folder: string) {}

  /** Makes the folder, readable by the owner alone. */
  ensureFolder(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  isFileName(name: string): boolean {
    return FILE_NAME.test(name) && !name.includes('..');
  }

  /** @throws ServiceError MODEL_NOT_FOUND for a name that cannot be one of a model. */
  pathOf(name: string): string {
    if (!this.isFileName(name))
      throw new ServiceError('MODEL_NOT_FOUND', 'There is no such model; list the models and pick one of them.');
    return path.join(this.folder, name);
  }

  async exists(name: string): Promise<boolean> {
    if (!this.isFileName(name)) return false;
    try {
      return (await stat(this.pathOf(name))).isFile();
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Installed files as models that are not loaded, by name; files that are no GGUF are left out. */
  async list(): Promise<RuntimeModel[]> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const models = await Promise.all(
      names
        .filter((name) => this.isFileName(name))
        .sort()
        .map((name) => this.modelOf(name)),
    );
    return models.filter((model) => model !== null);
  }

  /** @throws ServiceError MODEL_NOT_FOUND */
  async remove(name: string): Promise<void> {
    const gone = new ServiceError('MODEL_NOT_FOUND', 'There is no such model; it may have been deleted already.');
    if (!(await this.exists(name))) throw gone;
    await unlink(this.pathOf(name)).catch((error: unknown) => {
      throw isMissing(error) ? gone : error;
    });
    this.known.delete(name);
  }

  private async modelOf(name: string): Promise<RuntimeModel | null> {
    const header = await this.headerOf(name);
    if (header === null) return null;
    return {
      id: name,
      name: [header.name ?? name.replace(/\.gguf$/i, ''), header.quantisation]
        .filter((part) => part !== null)
        .join(' '),
      context_length: header.context_length,
      size_bytes: header.size_bytes,
      loaded: false,
    };
  }

  private async headerOf(name: string): Promise<GgufHeader | null> {
    const file = this.pathOf(name);
    try {
      const stats = await stat(file);
      if (!stats.isFile()) return null;
      const { mtimeMs, size } = stats;
      const known = this.known.get(name);
      if (known?.mtimeMs === mtimeMs && known.size === size) return known.header;
      const header = await readGgufHeader(file).catch(() => null);
      this.known.set(name, { mtimeMs, size, header });
      return header;
    } catch {
      // Gone meanwhile, or a link that leads nowhere: one file must not hide the others.
      return null;
    }
  }
}
