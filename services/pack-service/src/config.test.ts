import path from 'node:path';
import { readConfig } from './config';

describe('the configuration of pack-service', () => {
  it("finds the project's own packs and the documented port when nothing is set", () => {
    const config = readConfig({});
    expect(config.built_in_packs_dir).toBe(path.resolve(__dirname, '../../../packs'));
    expect(config.base.port).toBe(7359);
    expect(config.base.peers.session_api).toBe('http://127.0.0.1:7355');
  });

  it('takes another folder of built-in packs, as an absolute path', () => {
    expect(readConfig({ SIM_BUILT_IN_PACKS_DIR: 'other' }).built_in_packs_dir).toBe(path.resolve('other'));
  });

  it('refuses a bad port by the name of its variable', () => {
    expect(() => readConfig({ SIM_PACKS_PORT: 'x' })).toThrow(/SIM_PACKS_PORT="x"/);
  });
});
