import { ServiceError, StartError } from '@parley/shared/contracts';

export type DatabaseOpenProblem =
  | 'folder_not_writable'
  | 'unsupported_url'
  | 'emptied'
  | 'corrupt'
  | 'newer_schema'
  | 'not_durable'
  | 'locked'
  | 'disk_full'
  | 'unusable';

/** The database cannot be used. `message` is one line for the person who started the process, and says what to do. */
export class DatabaseOpenError extends StartError {
  readonly problem: DatabaseOpenProblem;

  constructor(problem: DatabaseOpenProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseOpenError';
    this.problem = problem;
  }
}

export const diskFull = (place: string, cause: unknown): DatabaseOpenError =>
  new DatabaseOpenError('disk_full', `The disk with ${place} is full: free some space, then start again.`, cause);

/** Another process held the write lock through all tries; the same request may succeed in a moment. */
export class DatabaseBusyError extends ServiceError {
  constructor(cause?: unknown) {
    super('OVERLOADED', 'The database is busy. Try again in a moment.', { headers: { 'Retry-After': '1' }, cause });
    this.name = 'DatabaseBusyError';
  }
}
