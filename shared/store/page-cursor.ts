import { ServiceError } from '@parley/shared/contracts';

export interface Page {
  /** 1 to 100. */
  readonly limit: number;
  /** next_cursor of the page before. */
  readonly cursor?: string | undefined;
}

/** The cursor after the row with this number. */
export const encodeCursor = (position: number): string => Buffer.from(`p${position}`).toString('base64url');

/**
 * The number behind a cursor; null without one.
 * @throws ServiceError VALIDATION_ERROR when no page ever answered such a cursor
 */
export function decodeCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const position = /^p([1-9][0-9]{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (position === undefined || encodeCursor(Number(position)) !== cursor) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      'The cursor is not one that an earlier page answered. Begin without one.',
      {
        details: { issues: [{ path: 'cursor', message: 'must be a next_cursor that an earlier page answered' }] },
      },
    );
  }
  return Number(position);
}
