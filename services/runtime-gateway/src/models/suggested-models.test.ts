import { SuggestedModels } from '@parley/shared/contracts';
import { SUGGESTED_MODELS } from './suggested-models';

describe('suggested models', () => {
  it('match their contract and suit machines with 4, 8 and 16 GB', () => {
    expect(SuggestedModels.safeParse({ models: SUGGESTED_MODELS }).success).toBe(true);
    expect([...new Set(SUGGESTED_MODELS.map((model) => model.memory_gb))]).toEqual([4, 8, 16]);
  });

  it('fit into their machine beside everything else, are openly licensed and differ', () => {
    for (const model of SUGGESTED_MODELS) {
      expect(model.size_gb).toBeLessThanOrEqual(model.memory_gb * 0.6);
      expect(['Apache-2.0', 'MIT']).toContain(model.license);
      expect(JSON.stringify(model)).not.toMatch(/https?:/);
    }
    expect(new Set(SUGGESTED_MODELS.map((model) => model.pull)).size).toBe(SUGGESTED_MODELS.length);
  });
});
