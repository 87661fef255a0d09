import { readConfig } from './config';

describe('readConfig', () => {
  it('listens on 7354 of this machine alone and sends the page to 7355 when nothing is set', () => {
    expect(readConfig({})).toMatchObject({ base: { host: '127.0.0.1', port: 7354 }, api_port: 7355 });
  });

  it('takes ports from the environment and binds every interface with LAN access', () => {
    const config = readConfig({ SIM_UI_PORT: '8001', SIM_API_PORT: '8002', SIM_LAN_ACCESS_ENABLED: 'true' });
    expect(config).toMatchObject({ base: { host: '0.0.0.0', port: 8001 }, api_port: 8002 });
  });

  it('has the page call its own origin where a public one is named', () => {
    const key = 'k'.repeat(32);
    expect(readConfig({ SIM_PUBLIC_ORIGIN: 'https://talks.example', SIM_INTERNAL_KEY: key }).api_port).toBe(null);
    expect(readConfig({ SIM_BIND_HOST: '0.0.0.0', SIM_INTERNAL_KEY: key }).api_port).toBe(7355);
  });

  it('names the variable that cannot be used', () => {
    expect(() => readConfig({ SIM_API_PORT: 'many' })).toThrow(/SIM_API_PORT="many"/);
  });
});
