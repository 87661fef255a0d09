import path from 'node:path';
import { ServiceError } from '@parley/shared/contracts';
import type { ModelFiles } from '../models/model-files';

/** The model that the local model server is to load. */
export interface SidecarModel {
  /** As it was asked for, or found. */
  readonly id: string | null;
  readonly path: string | null;
  /** Tokens that it was made for; null where its file does not say. */
  readonly context: number | null;
}

/**
 * The installed model of that name; without a name the one that is set, which may also be a path, else the first that is
 * installed.
 * @throws ServiceError MODEL_NOT_FOUND when the wanted one is not installed.
 */
export async function chooseModel(files: ModelFiles, wanted: string | null, set: string | null): Promise<SidecarModel> {
  const id = wanted ?? set;
  const installed = await files.list();
  const found = installed.find((one) => one.id === id);
  if (found !== undefined) return { id: found.id, path: files.pathOf(found.id), context: found.context_length };
  if (wanted !== null)
    throw new ServiceError(
      'MODEL_NOT_FOUND',
      'No installed model has this name; list the models and pick one, or install it first.',
    );
  if (id !== null && path.isAbsolute(id)) return { id, path: id, context: null };
  const [first] = installed;
  return first === undefined
    ? { id, path: null, context: null }
    : { id: first.id, path: files.pathOf(first.id), context: first.context_length };
}
