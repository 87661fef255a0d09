import type { RuntimeHealth } from '@parley/shared/contracts';
import { withoutAddresses } from './without-addresses';

const READY: RuntimeHealth = {
  runtime_id: 'local_server',
  runtime_name: 'Local model server',
  status: 'READY',
  model_id: 'small',
  latency_ms: 1,
  message: null,
  checked_at: '2026-01-01T00:00:00.000Z',
};

describe('withoutAddresses', () => {
  it.each([
    ['1 of 3 model servers does not answer: http://b:7356.', '1 of 3 model servers does not answer.'],
    [
      '1 of 4 model servers answers wrongly: https://a.lan/v1. 2 of 4 model servers do not answer: http://b:1, http://[::1]:2.',
      '1 of 4 model servers answers wrongly. 2 of 4 model servers do not answer.',
    ],
    [
      'The local model server cannot be reached. Start it: under "Connect a model".',
      'The local model server cannot be reached. Start it: under "Connect a model".',
    ],
    [null, null],
  ])('makes of %j %j, and changes nothing else', (message, left) => {
    expect(withoutAddresses({ ...READY, message })).toEqual({ ...READY, message: left });
  });
});
