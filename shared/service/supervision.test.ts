import { readSupervision } from './supervision';

describe('readSupervision', () => {
  it.each([
    [undefined, 'linux', true],
    ['', 'linux', true],
    ['rr', 'linux', true],
    ['none', 'linux', false],
    ['another', 'darwin', true],
    [undefined, 'win32', false],
    ['rr', 'win32', true],
  ] as const)('with NODE_CLUSTER_SCHED_POLICY=%s on %s: in turn %s', (policy, platform, isRoundRobin) => {
    const environment = policy === undefined ? {} : { NODE_CLUSTER_SCHED_POLICY: policy };
    expect(readSupervision(environment, platform)).toMatchObject({ isRoundRobin });
  });
});
