import { ServiceError } from '@parley/shared/contracts';

/** The same key came with another text before. */
export const keyOfOtherText = (): ServiceError =>
  new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another text; use a new key for a new turn.',
  );

export const turnInProgress = (): ServiceError =>
  new ServiceError('TURN_IN_PROGRESS', 'A turn of this session is still running; wait for its answer.');

export const tooManyTurns = (): ServiceError =>
  new ServiceError('OVERLOADED', 'Too many turns run at once; try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });

/** Somebody ended, cancelled or deleted it, or took it over. */
export const turnAborted = (): ServiceError =>
  new ServiceError(
    'TURN_ABORTED',
    'The turn was overtaken and nothing of it was stored. Look at the session before you go on.',
  );

/** The version of the session is another one than that which the turn was played on. */
export const turnOvertaken = (): ServiceError =>
  new ServiceError('TURN_ABORTED', 'The session was changed meanwhile and nothing of this turn was stored.');
