import { readConfig } from './config';

describe('SIM_ALLOWED_ORIGINS', () => {
  const read = (value?: string) => readConfig({ SIM_ALLOWED_ORIGINS: value }).allowed_origins;

  it('names nobody when it is not set', () => {
    for (const value of [undefined, '', '  ']) expect(read(value)).toEqual([]);
  });

  it('takes exact origins separated by commas, those of apps and extensions too', () => {
    expect(read('https://practice.example, http://127.0.0.1:8080,http://[::1]:3000')).toEqual([
      'https://practice.example',
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
    ]);
    expect(read('tauri://localhost,chrome-extension://abcdefghijklmnop')).toHaveLength(2);
  });

  it.each([
    '*',
    'null',
    'practice.example',
    'https://practice.example/',
    'https://practice.example/page',
    'https://*.practice.example',
    'https://practice.example:443',
    'http://practice.example:80',
    'HTTPS://practice.example',
    'https://Practice.example',
    'https://user@practice.example',
    'https://practice.example?a=1',
    'https://practice.example:70000',
    'https://practice.example,',
    'https://one.example https://two.example',
    'https:practice.example',
    'file://',
    'javascript:alert(1)',
  ])('is refused in one line as %s', (value) => {
    let message = '';
    try {
      read(value);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^SIM_ALLOWED_ORIGINS=.* cannot be used: .*https:\/\/practice\.example[^\n]*$/);
    expect(message).toContain(JSON.stringify(value));
  });
});

describe('SIM_REDIS_URL', () => {
  const whole = { SIM_DATABASE_URL: 'postgres://a@127.0.0.1/b', SIM_INTERNAL_KEY: 'k'.repeat(40) };
  const url = 'redis://somebody:osprey-secret@127.0.0.1:6379';
  const read = (environment: Record<string, string>) => () => readConfig(environment).redis_url;

  it('is none unless it is set, and taken beside PostgreSQL and the key', () => {
    expect(readConfig({}).redis_url).toBeNull();
    expect(readConfig(whole).redis_url).toBeNull();
    expect(readConfig({ ...whole, SIM_REDIS_URL: url }).redis_url).toBe(url);
    expect(readConfig({ ...whole, SIM_REDIS_URL: 'rediss://redis.example' }).redis_url).toBe('rediss://redis.example');
  });

  it('is refused as half a profile, or as no address, without telling its password', () => {
    const { SIM_DATABASE_URL, SIM_INTERNAL_KEY } = whole;
    expect(read({ SIM_REDIS_URL: url, SIM_INTERNAL_KEY })).toThrow(/it needs PostgreSQL as well, in SIM_DATABASE_URL/);
    expect(read({ SIM_REDIS_URL: url, SIM_DATABASE_URL })).toThrow(/it needs SIM_INTERNAL_KEY as well/);
    for (const other of ['osprey-secret', 'https://a:osprey-secret@b', 'localhost:6379'])
      expect(read({ ...whole, SIM_REDIS_URL: other })).toThrow(/begins with redis:\/\/ or rediss:\/\/\.$/);
    for (const environment of [{ SIM_REDIS_URL: url }, { ...whole, SIM_REDIS_URL: 'https://a:osprey-secret@b' }])
      expect(read(environment)).not.toThrow(/osprey-secret/);
  });
});

describe('SIM_API_INSTANCES', () => {
  it('of more than one is refused in one line without PostgreSQL and Redis', () => {
    expect(readConfig({ SIM_API_INSTANCES: '1' }).base.instance).toBeNull();
    expect(() => readConfig({ SIM_API_INSTANCES: '3' })).toThrow(
      /^SIM_API_INSTANCES="3" cannot be used: .*set SIM_DATABASE_URL=postgres:\/\/…, SIM_REDIS_URL and SIM_INTERNAL_KEY as well, or take it out\.$/,
    );
  });
});
