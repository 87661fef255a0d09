import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { minimalPack, replaced, writePack } from '../../testing/minimal-pack';
import { UNPACK_FROM_SOURCES } from '../../testing/pack-service-fixture';
import { lintPacks } from './lint-packs';
import { readPack } from './read-packs';

describe('the lint of several packs', () => {
  let folder: TemporaryFolder;
  beforeEach(() => (folder = temporaryFolder('lint-packs')));
  afterEach(() => folder.remove());

  const packs = (): string[] =>
    ['a', 'b', 'c'].map((name, index) =>
      writePack(
        path.join(folder.path, name),
        minimalPack({
          'manifest.yaml': replaced('manifest.yaml', 'sample.pack', `sample.${name}`),
          // The second has an error.
          'scenarios/talk.yaml': replaced(
            'scenarios/talk.yaml',
            'title: A talk',
            index === 1 ? 'titel: A' : 'title: B',
          ),
        }),
      ),
    );

  it.each([0, 1, 2])(
    'finds by %i threads what reading one after the other finds, in the order of the packs',
    async (threads) => {
      const at = packs();
      const read = await Promise.all(at.map((pack) => readPack(pack)));
      expect(await lintPacks(at, UNPACK_FROM_SOURCES, threads)).toEqual(
        read.map(({ prefix, validation, findings }) => ({
          prefix,
          valid: validation?.valid,
          findings,
          endings: validation?.endings,
        })),
      );
      expect(read.map(({ validation }) => validation?.valid)).toEqual([true, false, true]);
    },
  );

  it('fails when a pack cannot be read by a thread', async () => {
    const missing = path.join(folder.path, 'missing');
    await expect(lintPacks([missing], UNPACK_FROM_SOURCES, 1)).rejects.toThrow('ENOENT');
  });
});
