import path from 'node:path';
import { ConfigError } from '@parley/shared/service';
import { readConfig } from './config';

describe('the configuration of pack-service', () => {
  it("finds the project's own packs and the documented port when nothing is set", () => {
    const config = readConfig({});
    expect(config.built_in_packs_dir).toBe(path.resolve(__dirname, '../../../packs'));
    expect(config.base.port).toBe(7359);
    expect(config.base.peers.session_api).toBe('http://127.0.0.1:7355');
  });

  it('takes another folder of built-in packs, as an absolute path', () => {
    const other = path.relative('', __dirname);
    expect(readConfig({ SIM_BUILT_IN_PACKS_DIR: other }).built_in_packs_dir).toBe(__dirname);
  });

  it.each(['nowhere', __filename])('refuses %s by one line, which is no folder of packs', (folder) => {
    expect(() => readConfig({ SIM_BUILT_IN_PACKS_DIR: folder })).toThrow(
      new ConfigError(
        'SIM_BUILT_IN_PACKS_DIR',
        folder,
        `it must be a folder of packs that can be read, and ${path.resolve(folder)} is none`,
      ),
    );
  });

  it('refuses a bad port by the name of its variable', () => {
    expect(() => readConfig({ SIM_PACKS_PORT: 'x' })).toThrow(/SIM_PACKS_PORT="x"/);
  });

  describe('of one that only reads', () => {
    const reader = {
      SIM_PACKS_WRITER_URL: 'http://pack-service:7359/',
      SIM_PACKS_DIR: '/packs',
      SIM_DATABASE_URL: 'postgres://parley@localhost/parley',
    };

    it('names the writer and the folder of its packs', () => {
      expect(readConfig(reader).reader).toEqual({ writer_url: 'http://pack-service:7359', packs_dir: '/packs' });
      expect(readConfig({}).reader).toBeNull();
    });

    it.each([
      ['SIM_DATABASE_URL', undefined, /SIM_PACKS_WRITER_URL=.* it needs PostgreSQL as well/],
      ['SIM_DATABASE_URL', 'sqlite:/data/parley.sqlite', /SIM_PACKS_WRITER_URL=.* it needs PostgreSQL as well/],
      ['SIM_PACKS_DIR', undefined, /SIM_PACKS_WRITER_URL=.* it needs SIM_PACKS_DIR as well/],
      ['SIM_PACKS_WRITER_URL', undefined, /SIM_PACKS_DIR=.* needs SIM_PACKS_WRITER_URL as well/],
      ['SIM_PACKS_WRITER_URL', 'pack-service', /SIM_PACKS_WRITER_URL="pack-service".* begins with http/],
    ])('is refused by one line with %s=%s', (variable, value, line) => {
      const read = () => readConfig({ ...reader, [variable]: value });
      expect(read).toThrow(line);
      expect(read).toThrow(/^[^\n]*$/);
    });
  });
});
