import { STATUS_CODES } from 'node:http';
import { ERROR_KINDS, ServiceError, STATUS_PHRASES, type ErrorCode } from './errors';

/** Node still has the names of RFC 7231 for these two. */
const RFC_9110 = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

it('the title of a problem is the phrase of its status, as RFC 9457 wants it with about:blank', () => {
  const phrases: Readonly<Record<number, string | undefined>> = { ...STATUS_CODES, ...RFC_9110 };
  for (const code of Object.keys(ERROR_KINDS) as ErrorCode[]) {
    const { status, title } = new ServiceError(code, 'Something to do next.');
    expect([code, title]).toEqual([code, phrases[status]]);
  }
  const used = new Set(Object.values(ERROR_KINDS).map((kind) => String(kind.status)));
  expect(Object.keys(STATUS_PHRASES).sort()).toEqual([...used].sort());
});
