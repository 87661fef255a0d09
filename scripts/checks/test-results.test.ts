import { countResults, filesToRunAgain, withSecondRun } from './test-results.cjs';

const file = (name: string, tests: Record<string, string>, status?: string) => ({
  name,
  status: status ?? (Object.values(tests).includes('failed') ? 'failed' : 'passed'),
  assertionResults: Object.entries(tests).map(([fullName, one]) => ({ fullName, status: one })),
});

describe('the results of the tests', () => {
  it('counts tests, and a file that could not run as one failure', () => {
    const results = {
      testResults: [
        file('a', { one: 'passed', two: 'failed', three: 'pending', four: 'todo' }),
        file('b', {}, 'failed'),
      ],
    };
    expect(countResults(results, 1)).toEqual({ passed: 1, failed: 2, skipped: ['three', 'four'] });
  });

  it('never calls it passed when Jest itself failed', () => {
    expect(countResults({ testResults: [file('a', { one: 'passed' })] }, 1).failed).toBe(1);
    expect(countResults(null, 1)).toEqual({ passed: 0, failed: 1, skipped: [] });
  });

  it('runs each of a few files again once, and none when many failed', () => {
    const failed = (name: string) => file(name, { [name]: 'failed' });
    expect(filesToRunAgain({ testResults: [failed('a'), failed('a'), file('b', { b: 'passed' })] })).toEqual(['a']);
    expect(filesToRunAgain({ testResults: ['a', 'b', 'c', 'd', 'e'].map(failed) })).toEqual([]);
    expect(filesToRunAgain(null)).toEqual([]);
  });

  it('takes the second run of a file in the place of the first, and names what passed only then', () => {
    const first = {
      testResults: [
        file('a', { one: 'failed', two: 'failed', three: 'passed' }),
        file('b', { four: 'passed' }),
        file('c', {}, 'failed'),
      ],
    };
    const second = {
      testResults: [file('a', { one: 'passed', two: 'failed', three: 'passed' }), file('c', { five: 'passed' })],
    };
    const { results, unsteady } = withSecondRun(first, second);
    expect(countResults(results, 1)).toEqual({ passed: 4, failed: 1, skipped: [] });
    expect(unsteady).toEqual(['one', 'c']);
  });

  it('keeps the failures of a file that did not come to a second run', () => {
    const first = { testResults: [file('a', { one: 'failed' })] };
    const { results, unsteady } = withSecondRun(first, null);
    expect(countResults(results, 1).failed).toBe(1);
    expect(unsteady).toEqual([]);
  });
});
