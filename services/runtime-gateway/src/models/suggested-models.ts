import type { SuggestedModel } from '@parley/shared/contracts';

/**
 * Openly licensed models that hold a character and keep to a form, for machines with 4, 8 and 16 GB of memory: data, and
 * nothing more. Each has been published by its makers under the licence named here.
 */
export const SUGGESTED_MODELS: readonly SuggestedModel[] = [
  {
    name: 'Qwen3 1.7B',
    memory_gb: 4,
    license: 'Apache-2.0',
    size_gb: 1.8,
    pull: 'qwen3:1.7b',
    gguf: { repository: 'Qwen/Qwen3-1.7B-GGUF', file: 'Qwen3-1.7B-Q8_0.gguf' },
    note: 'Quick on any machine. Stays polite and short, and misses undertones.',
  },
  {
    name: 'Qwen3 4B',
    memory_gb: 8,
    license: 'Apache-2.0',
    size_gb: 2.5,
    pull: 'qwen3:4b',
    gguf: { repository: 'Qwen/Qwen3-4B-GGUF', file: 'Qwen3-4B-Q4_K_M.gguf' },
    note: 'A good first choice: follows the form of the answer well.',
  },
  {
    name: 'Qwen3 8B',
    memory_gb: 16,
    license: 'Apache-2.0',
    size_gb: 5,
    pull: 'qwen3:8b',
    gguf: { repository: 'Qwen/Qwen3-8B-GGUF', file: 'Qwen3-8B-Q4_K_M.gguf' },
    note: 'Characters with more of a will of their own; wants a graphics card, or patience.',
  },
  {
    name: 'Mistral Nemo 12B',
    memory_gb: 16,
    license: 'Apache-2.0',
    size_gb: 7.1,
    pull: 'mistral-nemo',
    gguf: null,
    note: 'Speaks most naturally of these, also in other European languages; slow without a graphics card.',
  },
];
