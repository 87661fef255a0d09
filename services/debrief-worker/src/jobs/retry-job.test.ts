import { ServiceError } from '@parley/shared/contracts';
import { WORKER_POLICY } from '../context';
import { backOff, errorName } from './retry-job';

describe('backOff', () => {
  it('doubles up to the longest pause, whatever the number of attempts', () => {
    const pauses = [1, 2, 3, 4, 8, 500].map((attempts) => backOff({ policy: WORKER_POLICY }, attempts));
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 30_000, 30_000]);
    expect(backOff({ policy: WORKER_POLICY }, 0)).toBe(500);
  });
});

describe('errorName', () => {
  it('is a code or a kind of error, never a message', () => {
    expect(errorName(new ServiceError('SERVICE_UNAVAILABLE', 'a sentence'))).toBe('SERVICE_UNAVAILABLE');
    expect(errorName(Object.assign(new Error('text of a person'), { code: 'SQLITE_FULL' }))).toBe('SQLITE_FULL');
    expect(errorName(new RangeError('text of a person'))).toBe('RangeError');
    expect(errorName('text of a person')).toBe('UNKNOWN');
  });
});
