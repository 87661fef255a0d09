import type { FittingModel, FittingModels, SuggestedModel } from '@parley/shared/contracts';
import type { MachineFacts } from './machine';

const MOST = 3;
/** What a server takes beside the weights: the program, and the context of two talks. */
const BESIDE_BYTES = 1_500_000_000;
const BYTES_PER_GIGABYTE = 1e9;
/** English: what tokens come to in words. */
const WORDS_PER_TOKEN = 0.75;
/** Slower than this nobody holds a talk with it. */
const LEAST_WORDS_PER_SECOND = 2;
/** About what a person speaks. */
const FLUENT_WORDS_PER_SECOND = 2.5;

/**
 * Every token takes one pass over all weights, so that memory sets the pace: bytes a second that a core gets out of it, and
 * the number of cores from which more do not help, on slow machines and on quick ones.
 */
const SLOW = { bytes_per_core: 3e9, cores: 4 };
const QUICK = { bytes_per_core: 7e9, cores: 8 };

const sizeOf = ({ gguf, size_gb }: SuggestedModel): number => gguf?.size_bytes ?? size_gb * BYTES_PER_GIGABYTE;

export const memoryFor = (model: SuggestedModel): number => Math.round(sizeOf(model) + BESIDE_BYTES);

/** Words a second without a graphics card; an estimate that is rough on purpose: halves below ten. */
function wordsPerSecond(model: SuggestedModel, cores: number): FittingModel['words_per_second'] {
  const pace = (machine: typeof SLOW): number => {
    const words = ((machine.bytes_per_core * Math.min(cores, machine.cores)) / sizeOf(model)) * WORDS_PER_TOKEN;
    return words < 10 ? Math.max(0.5, Math.round(words * 2) / 2) : Math.round(words);
  };
  return { from: pace(SLOW), to: pace(QUICK) };
}

/**
 * Of the suggested models at most three that this machine can play with now, the largest that it speaks fluently first.
 * @param models From small to large.
 */
export function fittingModels(models: readonly SuggestedModel[], machine: MachineFacts): FittingModels {
  const fitting = models
    .map((model) => ({
      ...model,
      memory_bytes: memoryFor(model),
      words_per_second: wordsPerSecond(model, machine.cores),
    }))
    .filter(
      (model) =>
        model.memory_bytes <= machine.memory_available_bytes && model.words_per_second.to >= LEAST_WORDS_PER_SECOND,
    );
  return {
    models: fitting.toReversed().slice(0, MOST).toSorted(byUse),
    ...machine,
    least_memory_bytes: Math.min(...models.map(memoryFor)),
  };
}

/** What surely speaks as fast as a person comes first, the larger the better; then the others, the quicker the better. */
function byUse(one: FittingModel, other: FittingModel): number {
  const keepsUp = ({ words_per_second }: FittingModel): boolean => words_per_second.from >= FLUENT_WORDS_PER_SECOND;
  const larger = other.memory_bytes - one.memory_bytes;
  return Number(keepsUp(other)) - Number(keepsUp(one)) || (keepsUp(one) ? larger : -larger);
}
