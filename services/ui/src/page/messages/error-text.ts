import { ApiError } from '../client/api-error';
import type { Messages } from './en';

/** One plain sentence for a failure: the service's own where it gave one. */
export function errorText(messages: Messages, thrown: unknown): string {
  const error = ApiError.from(thrown);
  if (error.code === 'UNREACHABLE') return messages.errors.unreachable;
  if (error.code === 'SESSION_NOT_FOUND') return messages.errors.gone;
  return error.message === '' ? messages.errors.unexpected(error.status) : error.message;
}
