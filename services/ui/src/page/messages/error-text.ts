import { ApiError } from '../client/api-error';
import type { Messages } from './en';

/** One plain sentence for a failure: the page's for its code where it has one in this language, else the service's own. */
export function errorText(messages: Messages, thrown: unknown): string {
  const error = ApiError.from(thrown);
  if (error.code === 'UNREACHABLE') return messages.errors.unreachable;
  if (error.code === 'SESSION_NOT_FOUND') return messages.errors.gone;
  const own = messages.errors.ofService(error.code, error.details);
  if (own !== '') return own;
  return error.message === '' ? messages.errors.unexpected(error.status) : error.message;
}
