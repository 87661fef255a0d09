import type { RuntimeHealth, RuntimeModel } from '@parley/shared/contracts';
import { commonModels, poolHealth, type MemberReport } from './pool-health';

const report = (address: string, health: Partial<RuntimeHealth> = {}): MemberReport => ({
  address,
  health: {
    runtime_id: 'local_server',
    runtime_name: 'Local model server',
    status: 'READY',
    model_id: 'm',
    latency_ms: 1,
    message: null,
    checked_at: '2026-11-23T12:00:00.000Z',
    ...health,
  },
});
const gone = (address: string): MemberReport =>
  report(address, { status: 'UNAVAILABLE', model_id: null, latency_ms: null, message: 'It cannot be reached.' });

describe('the health of a pool', () => {
  it('is READY without a message when all are', () => {
    const health = poolHealth([report('http://a', { latency_ms: 2 }), report('http://b', { latency_ms: 7 })]);
    expect(health).toMatchObject({ status: 'READY', model_id: 'm', latency_ms: 7, message: null });
  });

  it('is READY with a message that names those that are left out, each with what is wrong', () => {
    expect(poolHealth([gone('http://a'), report('http://b'), report('http://c')])).toMatchObject({
      status: 'READY',
      model_id: 'm',
      message: '1 of 3 model servers does not answer: http://a.',
    });
    const loading = report('http://c', { status: 'STARTING', message: 'It is loading.' });
    expect(poolHealth([gone('http://a'), gone('http://b'), loading, report('http://d')]).message).toBe(
      '1 of 4 model servers is loading its model: http://c. 2 of 4 model servers do not answer: http://a, http://b.',
    );
  });

  it('is that of one server when none is READY: one that is loading first', () => {
    const loading = report('http://b', { status: 'STARTING', message: 'It is loading.' });
    expect(poolHealth([gone('http://a'), loading])).toEqual(loading.health);
    expect(poolHealth([gone('http://a'), gone('http://b')])).toEqual(gone('http://a').health);
  });

  it('says when the servers play different models', () => {
    expect(poolHealth([report('http://a'), report('http://b', { model_id: 'n' })]).message).toBe(
      'The model servers play different models (m, n): start all with the same one.',
    );
    expect(poolHealth([report('http://a'), report('http://b', { model_id: null })]).message).toBeNull();
  });
});

describe('the models of a pool', () => {
  const model = (id: string, more: Partial<RuntimeModel> = {}): RuntimeModel => ({
    id,
    name: id,
    context_length: 8192,
    size_bytes: 1,
    loaded: true,
    ...more,
  });

  it('are those that all servers have, with the smallest context that is known', () => {
    const models = commonModels([
      [model('x'), model('only-here'), model('y', { context_length: null })],
      [model('y', { loaded: false }), model('x', { context_length: 4096 })],
    ]);
    expect(models).toEqual([model('x', { context_length: 4096 }), model('y', { loaded: false })]);
    expect(commonModels([[model('x')]])).toEqual([model('x')]);
    expect(commonModels([[model('x')], [model('y')]])).toEqual([]);
  });
});
