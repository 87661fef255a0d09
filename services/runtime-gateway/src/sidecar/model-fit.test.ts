import { refuseForMemory, spareTalks } from './model-fit';

/** A model of 4 billion parameters: 144 KiB for each token of context. */
const MODEL = { tensor_bytes: 2_500_000_000, layers: 36, key_heads: 8, key_length: 128, value_length: 128 };
const fit = { tokens: 8192, slots: 2, onGpu: false };
const BYTES_NEEDED = 2_500_000_000 + 36 * 8 * 256 * 2 * 8192 * 2 + 300_000_000;

describe('what a model needs', () => {
  it('is its tensors, the cache of all slots and a margin', () => {
    expect(refuseForMemory(MODEL, { ...fit, free: BYTES_NEEDED })).toBeNull();
    expect(refuseForMemory(MODEL, { ...fit, free: BYTES_NEEDED - 1 })).toMatch(/needs about 5\.2 GB/);
  });

  it('is told with the longest context that would fit', () => {
    const message = refuseForMemory(MODEL, { ...fit, free: 4_000_000_000 });
    const tokens = Number(/SIM_LOCAL_SERVER_CONTEXT_LENGTH to (\d+) or less/.exec(message ?? '')?.[1]);
    expect(tokens).toBeGreaterThan(1024);
    expect(refuseForMemory(MODEL, { ...fit, tokens, free: 4_000_000_000 })).toBeNull();
    expect(refuseForMemory(MODEL, { ...fit, tokens: tokens + 256, free: 4_000_000_000 })).not.toBeNull();
  });

  it('is told with the largest model where no context would do', () => {
    expect(refuseForMemory(MODEL, { ...fit, free: 2_000_000_000 })).toMatch(/choose a model of at most 1\.4 GB\.$/);
  });

  it('is not judged where a graphics card holds a part of it or nobody knows what is free', () => {
    expect(refuseForMemory(MODEL, { ...fit, onGpu: true, free: 1 })).toBeNull();
    expect(refuseForMemory(MODEL, { ...fit, free: null })).toBeNull();
  });

  it('leaves room for the cache of one more talk where that and a gigabyte beside are free', () => {
    const needed = BYTES_NEEDED + 36 * 8 * 256 * 2 * 8192 + 1_000_000_000;
    expect(spareTalks(MODEL, { ...fit, free: needed })).toBe(1);
    expect(spareTalks(MODEL, { ...fit, free: needed - 1 })).toBe(0);
    expect(spareTalks(MODEL, { ...fit, free: null })).toBe(0);
    expect(spareTalks(MODEL, { ...fit, onGpu: true, free: needed })).toBe(0);
    expect(spareTalks({ ...MODEL, key_heads: null }, { ...fit, free: needed })).toBe(0);
  });
});
