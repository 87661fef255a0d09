import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, tinyModel } from '@parley/shared/testing';
import { seededRandom } from '../../testing/captured-response';
import { smallGguf } from '../../testing/small-gguf';
import { readGgufTensors } from './gguf-tensors';

const folder = temporaryFolder('gguf-tensors');
afterAll(() => folder.remove());

const tensorsOf = (bytes: Buffer): ReturnType<typeof readGgufTensors> => {
  const file = path.join(folder.path, 'model.gguf');
  writeFileSync(file, bytes);
  return readGgufTensors(file);
};

describe('readGgufTensors', () => {
  const model = tinyModel({ dimension: 64, layers: 2, heads: 4, keyHeads: 2 });

  it('adds the tensors up and finds the shape of the cache', async () => {
    const { tensor_bytes: bytes, ...shape } = await tensorsOf(model);
    expect(shape).toEqual({ layers: 2, key_heads: 2, key_length: 16, value_length: 16 });
    expect(bytes).toBeGreaterThan(model.length * 0.9);
    expect(bytes).toBeLessThan(model.length);
  });

  it.each([
    ['in its last tensor', model.length - 40],
    ['in its first tensor', 40_000],
    ['in its vocabulary', 2_000],
    ['in its first bytes', 26],
  ])('finds that a file is cut off %s', async (_where, length) => {
    await expect(tensorsOf(model.subarray(0, length))).rejects.toThrow(/cut off/);
  });

  it('takes a file without tensors, and no other format', async () => {
    expect(await tensorsOf(smallGguf())).toMatchObject({ tensor_bytes: 0, layers: null });
    await expect(tensorsOf(Buffer.from('<html></html>'))).rejects.toThrow(/no GGUF file/);
  });

  it('neither hangs nor breaks on damaged tables', async () => {
    const random = seededRandom(5);
    for (let round = 0; round < 200; round += 1) {
      const bytes = Buffer.from(model.subarray(0, 12_000));
      for (let flip = 0; flip < 4; flip += 1) bytes[8 + Math.floor(random() * 2_000)] = Math.floor(random() * 256);
      const name = await tensorsOf(bytes).then(
        () => '',
        (error: Error) => error.name,
      );
      expect(['', 'GgufError']).toContain(name);
    }
  });
});
