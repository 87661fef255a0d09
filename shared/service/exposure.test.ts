import { readBaseConfig } from './base-config';

const KEY = '0123456789abcdef0123456789abcdef';
const read = (environment: Record<string, string>) => readBaseConfig(environment, 'session_api');

describe('what lets callers of other machines in', () => {
  it('is nothing by default, and blank values are nothing', () => {
    const closed = { host: '127.0.0.1', internal_key: null, public_origin: null, lan_access_enabled: false };
    expect(read({})).toMatchObject(closed);
    expect(read({ SIM_BIND_HOST: '', SIM_INTERNAL_KEY: ' ', SIM_PUBLIC_ORIGIN: '' })).toMatchObject(closed);
    expect(read({ SIM_BIND_HOST: '127.0.0.1' })).toMatchObject(closed);
  });

  it.each(['0.0.0.0', '::'])('is an address to bind, with a key: %s', (host) => {
    for (const service of ['ui', 'session_api', 'pack_service', 'runtime_gateway', 'debrief_worker'] as const)
      expect(readBaseConfig({ SIM_BIND_HOST: host, SIM_INTERNAL_KEY: KEY }, service)).toMatchObject({
        host,
        internal_key: KEY,
        public_origin: null,
      });
  });

  it('is a public origin, with a key, also where only this machine is bound', () => {
    const environment = { SIM_PUBLIC_ORIGIN: 'https://talks.example', SIM_INTERNAL_KEY: KEY };
    expect(read(environment)).toMatchObject({ host: '127.0.0.1', public_origin: 'https://talks.example' });
  });

  it.each([
    [
      { SIM_BIND_HOST: '0.0.0.0' },
      'SIM_BIND_HOST="0.0.0.0" cannot be used: beyond 127.0.0.1 it needs SIM_INTERNAL_KEY',
    ],
    [{ SIM_BIND_HOST: '::' }, 'it needs SIM_INTERNAL_KEY'],
    [{ SIM_BIND_HOST: '10.0.0.7', SIM_INTERNAL_KEY: KEY }, 'it must be one of 127.0.0.1, 0.0.0.0, ::'],
    [{ SIM_BIND_HOST: 'localhost' }, 'it must be one of'],
    [{ SIM_PUBLIC_ORIGIN: 'https://talks.example' }, 'it needs SIM_INTERNAL_KEY as well'],
    [{ SIM_PUBLIC_ORIGIN: 'talks.example', SIM_INTERNAL_KEY: KEY }, 'SIM_PUBLIC_ORIGIN="talks.example"'],
    [{ SIM_PUBLIC_ORIGIN: 'https://talks.example/', SIM_INTERNAL_KEY: KEY }, 'SIM_PUBLIC_ORIGIN'],
    [{ SIM_PUBLIC_ORIGIN: 'tauri://localhost', SIM_INTERNAL_KEY: KEY }, 'it must be one origin of http or https'],
    [{ SIM_PUBLIC_ORIGIN: 'https://a.example,https://b.example', SIM_INTERNAL_KEY: KEY }, 'it must be one origin'],
    [
      { SIM_PUBLIC_ORIGIN: 'https://a.example', SIM_INTERNAL_KEY: KEY, SIM_ALLOWED_ORIGINS: 'https://b.example' },
      'SIM_ALLOWED_ORIGINS="https://b.example" cannot be used: it must be left out',
    ],
    [{ SIM_LAN_ACCESS_ENABLED: 'true', SIM_INTERNAL_KEY: KEY }, 'SIM_LAN_ACCESS_ENABLED="true" cannot be used'],
  ])('refuses %j', (environment, line) => {
    expect(() => read(environment)).toThrow(line);
  });

  it.each(['short', 'a'.repeat(257), `${'a'.repeat(40)} b`, `${'ä'.repeat(40)}`])(
    'refuses a key that is no key, without telling it: %s',
    (key) => {
      let line = '';
      try {
        read({ SIM_INTERNAL_KEY: key });
      } catch (error) {
        line = (error as Error).message;
      }
      expect(line).toContain('SIM_INTERNAL_KEY="…" cannot be used');
      expect(line).not.toContain(key);
    },
  );
});
