import { FittingModels } from '@parley/shared/contracts';
import { startGateway } from '../../testing/gateway-caller';
import { fittingModels, memoryFor } from './fitting-models';
import { machineNow, type MachineFacts } from './machine';
import { SUGGESTED_MODELS } from './suggested-models';

const GB = 1e9;
const machine = (gigabytes: number, cores: number): MachineFacts => ({ memory_available_bytes: gigabytes * GB, cores });
const namesFor = (facts: MachineFacts): string[] =>
  fittingModels(SUGGESTED_MODELS, facts).models.map(({ name }) => name);

describe('models that fit this machine', () => {
  it('are none where memory is short, and say what the smallest needs', () => {
    const { models, least_memory_bytes: least } = fittingModels(SUGGESTED_MODELS, machine(2, 8));
    expect(models).toEqual([]);
    expect(least).toBe(memoryFor(SUGGESTED_MODELS[0] as (typeof SUGGESTED_MODELS)[number]));
    expect(least).toBeGreaterThan(3 * GB);
  });

  it('grow with the memory, never more than three', () => {
    expect(namesFor(machine(3.5, 8))).toEqual(['Qwen3 1.7B']);
    expect(namesFor(machine(5, 8))).toEqual(['Qwen3 4B', 'Qwen3 1.7B']);
    expect(namesFor(machine(64, 16))).toHaveLength(3);
  });

  it('leave out what a slow machine could not speak fluently', () => {
    expect(namesFor(machine(64, 1))).toEqual(['Qwen3 1.7B', 'Qwen3 4B']);
    expect(namesFor(machine(64, 2))).not.toContain('Mistral Nemo 12B');
  });

  it('begin with the largest that keeps up with a talk', () => {
    expect(namesFor(machine(8, 2))[0]).toBe('Qwen3 1.7B');
    expect(namesFor(machine(32, 8))[0]).toBe('Qwen3 4B');
  });

  it('say how fast they speak: slower the larger they are, faster with more cores', () => {
    const pace = (cores: number) => fittingModels(SUGGESTED_MODELS.slice(0, 3), machine(64, cores)).models;
    const byName = (cores: number, name: string) => pace(cores).find((model) => model.name === name)?.words_per_second;
    expect(byName(4, 'Qwen3 4B')).toEqual({ from: 3.5, to: 8.5 });
    expect(byName(8, 'Qwen3 4B')?.to).toBeGreaterThan(byName(4, 'Qwen3 4B')?.to ?? 0);
    expect(byName(4, 'Qwen3 8B')?.to).toBeLessThan(byName(4, 'Qwen3 4B')?.to ?? 0);
    for (const model of pace(4)) expect(model.words_per_second.from).toBeLessThan(model.words_per_second.to);
  });

  it('are asked for of the gateway, those alone that a press can install', async () => {
    const gateway = await startGateway({}, { machine: () => machine(64, 16) });
    const { models, cores } = FittingModels.parse((await gateway.get('/runtime/models/fitting')).body);
    await gateway.stop();
    expect(models.map(({ gguf }) => gguf?.file)).toEqual([
      'Qwen3-4B-Q4_K_M.gguf',
      'Qwen3-1.7B-Q8_0.gguf',
      'Qwen3-8B-Q4_K_M.gguf',
    ]);
    expect(cores).toBe(16);
  });

  it('look at this machine', () => {
    const facts = machineNow();
    expect(facts.cores).toBeGreaterThan(0);
    expect(facts.memory_available_bytes).toBeGreaterThan(0);
  });
});
