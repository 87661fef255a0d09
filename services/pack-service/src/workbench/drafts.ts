import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMap, isScalar, parseDocument } from 'yaml';
import { ServiceError, type Draft, type DraftDetail, type PackForm } from '@parley/shared/contracts';
import { packFromForm } from '../authoring/pack-from-form';
import { writePackFiles } from '../authoring/write-pack';
import type { PackContext } from '../context';
import { deleteDraftFile, listDraftFiles, readDraftFile, saveDraftFile } from './draft-files';
import { copyFolder, parseYaml } from './pack-tools';

const MANIFEST = 'manifest.yaml';
const MAX_DRAFTS = 200;
const LONGEST_ID = 96;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What the manifest says of the pack; nothing while it cannot be read. */
function manifestOf(folder: string): Readonly<Record<string, unknown>> {
  try {
    const { readable, legible } = parseYaml(MANIFEST, Buffer.from(readDraftFile(folder, MANIFEST).text));
    return (readable?.value as Record<string, unknown> | null | undefined) ?? legible;
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
}

/** A manifest with another id for the pack, and everything else as it was written. */
function withPackId(manifest: string, packId: string): string {
  const { contents } = parseDocument(manifest);
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'pack_id') : undefined;
  const range = isScalar(pair?.value) ? pair.value.range : undefined;
  return range == null ? manifest : manifest.slice(0, range[0]) + packId + manifest.slice(range[1]);
}

/** Packs that are being written, each a folder in the data folder. Changes of one draft come one after the other. */
export class Drafts {
  private readonly root: string;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: PackContext) {
    this.root = path.join(context.config.base.data_dir, 'drafts');
  }

  private alone<T>(change: () => Promise<T>): Promise<T> {
    const result = this.last.then(change);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** The folder of a draft. Ids have a strict form; they are names and never paths. @throws ServiceError NOT_FOUND */
  folderOf(id: string): string {
    const folder = path.join(this.root, id);
    if (path.dirname(folder) !== this.root || !existsSync(path.join(folder, MANIFEST)))
      throw new ServiceError('NOT_FOUND', 'There is no such draft; list the drafts to see what there is.');
    return folder;
  }

  private async describe(id: string): Promise<Draft> {
    const folder = this.folderOf(id);
    const { name, pack_id: packId, version } = manifestOf(folder);
    const files = await listDraftFiles(folder);
    const times = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file.path))).mtimeMs));
    return {
      draft_id: id,
      name: textOf(name) ?? id,
      pack_id: /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(textOf(packId) ?? '') ? textOf(packId) : null,
      pack_version: textOf(version),
      folder,
      changed_at: new Date(Math.max(0, ...times)).toISOString(),
    };
  }

  private async ids(): Promise<string[]> {
    if (!existsSync(this.root)) return [];
    const entries = await readdir(this.root, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && existsSync(path.join(this.root, entry.name, MANIFEST)))
      .map((entry) => entry.name)
      .filter((name) => /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(name));
  }

  async list(): Promise<Draft[]> {
    const drafts = await Promise.all((await this.ids()).map((id) => this.describe(id)));
    return drafts.sort((one, other) => (one.changed_at > other.changed_at ? -1 : 1));
  }

  async detail(id: string): Promise<DraftDetail> {
    return { ...(await this.describe(id)), files: await listDraftFiles(this.folderOf(id)) };
  }

  /** An id that neither a draft nor, where `apart` says so, an installed pack has. */
  private async freeId(wanted: string, apart: readonly string[]): Promise<string> {
    const taken = new Set([...(await this.ids()), ...apart]);
    const own = wanted.slice(0, LONGEST_ID);
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? own : `${own}_${number}`;
      if (!taken.has(id) && !existsSync(path.join(this.root, id))) return id;
    }
  }

  /** Fills a folder and moves it into its place: a half one is never a draft. */
  private async begin(id: string, fill: (folder: string) => Promise<void>): Promise<Draft> {
    if ((await this.ids()).length >= MAX_DRAFTS)
      throw new ServiceError('INVALID_STATE', `There are ${MAX_DRAFTS} drafts already. Delete some of them first.`, {
        details: { operation: 'createDraft', allowed_in: [`fewer than ${MAX_DRAFTS} drafts`] },
      });
    const half = path.join(this.context.folders.staging, `draft-${randomUUID()}`);
    await mkdir(half, { recursive: true, mode: 0o700 });
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    try {
      await fill(half);
      await rename(half, path.join(this.root, id));
    } finally {
      await rm(half, { recursive: true, force: true });
    }
    return this.describe(id);
  }

  /** A whole pack out of the answers of the form, with an id that no pack has. */
  fromForm(form: PackForm): Promise<Draft> {
    return this.alone(async () => {
      const installed = (await this.context.catalogue.listPacks()).map(({ pack_id: id }) => id);
      const id = await this.freeId(packFromForm(form).pack_id, form.pack_id === undefined ? installed : []);
      return this.begin(id, (folder) => writePackFiles(folder, packFromForm({ ...form, pack_id: id })));
    });
  }

  /**
   * A copy of an installed pack. One of a pack that comes with Parley gets an id of its own, since it cannot be replaced.
   * @throws ServiceError PACK_NOT_FOUND
   */
  copyOf(packId: string): Promise<Draft> {
    return this.alone(async () => {
      const record = await this.context.catalogue.findPack(packId);
      const { builtIn, installed } = this.context.folders;
      const source = path.join(record.built_in ? builtIn : installed, record.folder);
      const id = await this.freeId(record.built_in ? `my.${packId}` : packId, []);
      return this.begin(id, async (folder) => {
        await copyFolder(source, folder);
        if (!record.built_in) return;
        const { text, version } = readDraftFile(folder, MANIFEST);
        await saveDraftFile(folder, MANIFEST, { text: withPackId(text, id), base: version });
      });
    });
  }

  remove(id: string): Promise<void> {
    return this.alone(() => rm(this.folderOf(id), { recursive: true, force: true }));
  }

  saveFile(id: string, name: string, change: { readonly text: string; readonly base: string | null }): Promise<string> {
    return this.alone(() => saveDraftFile(this.folderOf(id), name, change));
  }

  removeFile(id: string, name: string): Promise<void> {
    return this.alone(() => deleteDraftFile(this.folderOf(id), name));
  }
}
