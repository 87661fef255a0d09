import { ServiceError } from '@parley/shared/contracts';
import type { Provider } from '../providers/provider';
import type { ModelFiles } from './model-files';
import type { ModelInstalls } from './model-installs';

export interface DeleteModelOptions {
  readonly provider: Provider;
  readonly files: ModelFiles;
  readonly installs: ModelInstalls;
  /** The installed model that the sidecar has loaded; null without one. */
  readonly modelInUse: () => string | null;
}

/**
 * Deletes a model where it is stored: at the runtime, or as a file of the models folder.
 * @throws ServiceError MODEL_NOT_FOUND, MODEL_BUSY while it is installed or loaded, NOT_SUPPORTED_BY_RUNTIME for a model
 * that the runtime brings along.
 */
export async function deleteModel(id: string, options: DeleteModelOptions): Promise<void> {
  const { provider, files, installs, modelInUse } = options;
  if (installs.isInstalling(id))
    throw new ServiceError('MODEL_BUSY', 'This model is being installed; cancel the install instead.');
  if (provider.deleteModel !== undefined) return provider.deleteModel(id);
  if (provider.uses_model_files !== true)
    throw new ServiceError('NOT_SUPPORTED_BY_RUNTIME', 'This runtime brings its models along; they cannot be deleted.');
  if (modelInUse() === id)
    throw new ServiceError('MODEL_BUSY', 'The local model server has this model loaded; stop the server first.');
  await files.remove(id);
}
