import { DEFAULT_PORTS } from '@parley/shared/contracts';
import { readBaseConfig } from './base-config';

describe('where the other processes are', () => {
  it('is this machine, at the ports that are set', () => {
    const { peers } = readBaseConfig({ SIM_PACKS_PORT: '12345' }, 'session_api');
    expect(peers).toEqual({
      ui: `http://127.0.0.1:${DEFAULT_PORTS.ui}`,
      session_api: `http://127.0.0.1:${DEFAULT_PORTS.session_api}`,
      pack_service: 'http://127.0.0.1:12345',
      runtime_gateway: `http://127.0.0.1:${DEFAULT_PORTS.runtime_gateway}`,
      debrief_worker: `http://127.0.0.1:${DEFAULT_PORTS.debrief_worker}`,
    });
  });

  it.each([
    ['SIM_API_URL', 'session_api'],
    ['SIM_PACKS_URL', 'pack_service'],
    ['SIM_GATEWAY_URL', 'runtime_gateway'],
    ['SIM_WORKER_URL', 'debrief_worker'],
  ] as const)('is elsewhere where %s says so', (variable, service) => {
    const read = (url: string) => readBaseConfig({ [variable]: url }, 'session_api').peers;
    expect(read('http://talks.internal:8080/')[service]).toBe('http://talks.internal:8080');
    expect(() => read('talks.internal')).toThrow(`${variable}="talks.internal" cannot be used`);
  });
});

describe('which one of several processes at one port it is', () => {
  const several = {
    SIM_API_INSTANCES: '2',
    NODE_APP_INSTANCE: '1',
    SIM_DATABASE_URL: 'postgres://a@127.0.0.1/b',
    SIM_REDIS_URL: 'redis://127.0.0.1',
    SIM_INTERNAL_KEY: 'k'.repeat(40),
  };

  it("is PM2's number, of session-api alone and where several are asked for", () => {
    expect(readBaseConfig(several, 'session_api').instance).toBe(1);
    expect(readBaseConfig({ ...several, SIM_API_INSTANCES: '1' }, 'session_api').instance).toBeNull();
    expect(readBaseConfig(several, 'ui').instance).toBeNull();
    // Started by hand beside them.
    expect(readBaseConfig({ ...several, NODE_APP_INSTANCE: '' }, 'session_api').instance).toBeNull();
  });
});
