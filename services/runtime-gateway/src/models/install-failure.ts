import { ServiceError } from '@parley/shared/contracts';
import { DownloadError } from './download-error';
import { GgufError } from './gguf-header';
import { NotAFileError } from './open-regular-file';

/** Whether nothing of what is here can become the model. */
export const isUseless = (error: unknown): boolean =>
  error instanceof GgufError || error instanceof NotAFileError || (error instanceof DownloadError && error.isFinal);

/** What went wrong, for a person. */
export function messageOf(error: unknown): string {
  if (
    error instanceof ServiceError ||
    error instanceof DownloadError ||
    error instanceof GgufError ||
    error instanceof NotAFileError
  )
    return error.message;
  return 'The connection was lost or the file could not be written; try again to continue.';
}
