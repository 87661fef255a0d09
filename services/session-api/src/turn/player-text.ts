import { MAX_PLAYER_TEXT, ServiceError } from '@parley/shared/contracts';

const inputError = (detail: string): ServiceError => new ServiceError('TURN_INPUT_ERROR', detail);

/**
 * Step 1 of the turn: strips white space around the text and refuses what cannot be a turn. Length counts code points.
 * The text is otherwise kept as it was sent.
 * @throws ServiceError TURN_INPUT_ERROR (docs/interface.md, Turn pipeline, 1).
 */
export function normalisePlayerText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw inputError('Say something: the text is empty.');
  if (!trimmed.isWellFormed() || trimmed.includes('\u0000'))
    throw inputError('The text holds characters that are not valid Unicode text; remove them and send it again.');
  // More than twice as many code units cannot be few enough code points: no need to count them.
  const length = trimmed.length > 2 * MAX_PLAYER_TEXT ? trimmed.length : [...trimmed].length;
  if (length > MAX_PLAYER_TEXT)
    throw inputError(`The text is longer than ${MAX_PLAYER_TEXT} characters; shorten it and send it again.`);
  return trimmed;
}
