import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readGeneratedFile } from '@parley/shared/service';
import { temporaryFolder } from '@parley/shared/testing';

describe('a generated file', () => {
  const folder = temporaryFolder('generated');
  afterAll(() => folder.remove());

  it('is read as what stands in it', async () => {
    writeFileSync(path.join(folder.path, 'one.json'), '{"a": [1]}');
    expect(await readGeneratedFile(folder.path, 'one.json')).toEqual({ a: [1] });
  });

  it.each([
    ['missing', null],
    ['cut off', '{"a": '],
  ])('that is %s is named, with the command that writes it', async (_state, text) => {
    if (text !== null) writeFileSync(path.join(folder.path, 'two.json'), text);
    await expect(readGeneratedFile(folder.path, 'two.json')).rejects.toThrow(
      /two\.json cannot be read; npm run generate writes it/,
    );
  });
});
