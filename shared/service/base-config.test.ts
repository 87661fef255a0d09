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
