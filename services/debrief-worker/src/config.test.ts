import { readConfig } from './config';

describe('readConfig', () => {
  it('listens on 7361 and gives the gateway time beyond its own quiet period', () => {
    expect(readConfig({})).toMatchObject({ base: { port: 7361, host: '127.0.0.1' }, quiet_seconds: 185 });
    const both = { SIM_LOCAL_SERVER_CHAT_TIMEOUT: '20', SIM_NATIVE_SERVER_CHAT_TIMEOUT: '10', SIM_WORKER_PORT: '0' };
    // Where no runtime is named either may be chosen, so the longer one counts.
    expect(readConfig(both)).toMatchObject({ base: { port: 0 }, quiet_seconds: 25 });
    expect(readConfig({ ...both, SIM_RUNTIME_ID: 'local_native' }).quiet_seconds).toBe(15);
  });

  it('binds this machine alone, also with LAN access', () => {
    expect(readConfig({ SIM_LAN_ACCESS_ENABLED: 'true' }).base.host).toBe('127.0.0.1');
  });

  it.each(['0', 'soon', '-1'])('refuses SIM_LOCAL_SERVER_CHAT_TIMEOUT=%s, naming it', (value) => {
    expect(() => readConfig({ SIM_LOCAL_SERVER_CHAT_TIMEOUT: value })).toThrow(/SIM_LOCAL_SERVER_CHAT_TIMEOUT/);
  });
});
