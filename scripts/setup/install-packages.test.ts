import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { driverAborts, installWhatIsMissing } from './install-packages.cjs';

describe('the SQLite driver', () => {
  let folder: TemporaryFolder;
  type Project = Parameters<typeof installWhatIsMissing>[0];
  let project: Project;
  beforeEach(() => {
    folder = temporaryFolder('driver');
    const driver = path.join(folder.path, 'node_modules', 'better-sqlite3');
    mkdirSync(path.join(driver, 'build', 'Release'), { recursive: true });
    writeFileSync(path.join(driver, 'index.js'), 'module.exports = class { close() {} };');
    const list = JSON.stringify({ packages: {} });
    writeFileSync(path.join(folder.path, 'package-lock.json'), list);
    writeFileSync(path.join(folder.path, 'node_modules', '.package-lock.json'), list);
    project = { root: folder.path } as unknown as Project;
  });
  afterEach(() => folder.remove());
  const compiledWith = (symbol: string): void =>
    writeFileSync(
      path.join(folder.path, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'),
      Buffer.concat([Buffer.from([0, 255]), Buffer.from(`_ZN4node${symbol}EPN2v8`), Buffer.from([0])]),
    );

  it('is refused, with what to do, when it was compiled so that it ends processes', async () => {
    compiledWith('28RemoveEnvironmentCleanupHook');
    await expect(installWhatIsMissing(project)).rejects.toThrow(
      /^The SQLite driver was compiled with the headers of Node.*Use Node\.js 22, or 20\.19.*then run npm start again\.$/,
    );
  });

  it('is taken otherwise', async () => {
    compiledWith('25AddEnvironmentCleanupHook');
    await expect(installWhatIsMissing(project)).resolves.toBeUndefined();
  });

  it('that is installed here is one of those', () => {
    expect(driverAborts({ root: path.resolve(__dirname, '../..') } as unknown as Project)).toBe(false);
  });
});
