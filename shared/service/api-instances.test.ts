import { apiInstancesOf } from '@parley/shared/api-instances';

describe('SIM_API_INSTANCES', () => {
  const whole = {
    SIM_DATABASE_URL: 'postgres://a@127.0.0.1/b',
    SIM_REDIS_URL: 'redis://127.0.0.1',
    SIM_INTERNAL_KEY: 'k'.repeat(40),
  };

  it('is 1 unless it is set, which needs nothing else', () => {
    for (const value of [undefined, '', '  ', '1', ' 1 '])
      expect(apiInstancesOf({ SIM_API_INSTANCES: value })).toEqual({ instances: 1 });
  });

  it('is a whole number from 1 to 64', () => {
    for (const value of ['2', '64'])
      expect(apiInstancesOf({ ...whole, SIM_API_INSTANCES: value })).toEqual({ instances: Number(value) });
    for (const value of ['0', '65', '-1', '2.0', '0x2', '1e1', 'max', '2 3'])
      expect(apiInstancesOf({ ...whole, SIM_API_INSTANCES: value })).toEqual({
        value,
        allowed: 'it must be a whole number from 1 to 64',
      });
  });

  it.each([
    ['SIM_DATABASE_URL=postgres://…', { ...whole, SIM_DATABASE_URL: '' }],
    ['SIM_DATABASE_URL=postgres://…', { ...whole, SIM_DATABASE_URL: 'talks.sqlite' }],
    ['SIM_DATABASE_URL=postgres://…', { ...whole, SIM_DATABASE_URL: 'postgres://no-database' }],
    ['SIM_REDIS_URL', { ...whole, SIM_REDIS_URL: ' ' }],
    ['SIM_INTERNAL_KEY', { ...whole, SIM_INTERNAL_KEY: '' }],
    ['SIM_DATABASE_URL=postgres://…, SIM_REDIS_URL and SIM_INTERNAL_KEY', {}],
  ])('of more than one is refused without all that they share: %s', (missing, environment) => {
    expect(apiInstancesOf({ ...environment, SIM_API_INSTANCES: '2' })).toEqual({
      value: '2',
      allowed: `several session-apis share PostgreSQL and Redis: set ${missing} as well, or take it out`,
    });
  });
});
