import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { zipFolder } from './zip-pack';

describe('the zip of a folder', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('zip');
    writeFileSync(path.join(folder.path, 'here.yaml'), 'a: 1\n');
  });
  afterEach(() => folder.remove());

  it('is refused, and nothing of it left, when a file is gone meanwhile', async () => {
    const made = zipFolder(folder.path, ['here.yaml', 'gone.yaml'], path.join(folder.path, 'pack.zip'));
    await expect(made).rejects.toThrow(/ENOENT.*gone\.yaml/);
    expect(readdirSync(folder.path)).toEqual(['here.yaml']);
  });
});
