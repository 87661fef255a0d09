import type { SuggestedModel } from '@parley/shared/contracts';

type GgufFile = NonNullable<SuggestedModel['gguf']>;

/** A file of a repository on Hugging Face at one commit, so that what is fetched cannot change under its checksum. */
const hosted = (
  repository: string,
  commit: string,
  { file, ...facts }: Pick<GgufFile, 'file' | 'size_bytes' | 'sha256'>,
): GgufFile => ({
  repository,
  file,
  url: `https://huggingface.co/${repository}/resolve/${commit}/${file}`,
  ...facts,
});

/**
 * Openly licensed models that hold a character and keep to a form, for machines with 4, 8 and 16 GB of memory: data, and
 * nothing more. Each has been published by its makers under the licence named here. Commits, sizes and checksums of the
 * files are those on which several unrelated public projects that fetch them agree.
 */
export const SUGGESTED_MODELS: readonly SuggestedModel[] = [
  {
    name: 'Qwen3 1.7B',
    memory_gb: 4,
    license: 'Apache-2.0',
    size_gb: 1.8,
    pull: 'qwen3:1.7b',
    gguf: hosted('Qwen/Qwen3-1.7B-GGUF', '90862c4b9d2787eaed51d12237eafdfe7c5f6077', {
      file: 'Qwen3-1.7B-Q8_0.gguf',
      size_bytes: 1_834_426_016,
      sha256: '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
    }),
    note: 'Quick on any machine. Stays polite and short, and misses undertones.',
  },
  {
    name: 'Qwen3 4B',
    memory_gb: 8,
    license: 'Apache-2.0',
    size_gb: 2.5,
    pull: 'qwen3:4b',
    gguf: hosted('Qwen/Qwen3-4B-GGUF', 'bc640142c66e1fdd12af0bd68f40445458f3869b', {
      file: 'Qwen3-4B-Q4_K_M.gguf',
      size_bytes: 2_497_280_256,
      sha256: '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    }),
    note: 'A good first choice: follows the form of the answer well.',
  },
  {
    name: 'Qwen3 8B',
    memory_gb: 16,
    license: 'Apache-2.0',
    size_gb: 5,
    pull: 'qwen3:8b',
    gguf: hosted('Qwen/Qwen3-8B-GGUF', '7c41481f57cb95916b40956ab2f0b139b296d974', {
      file: 'Qwen3-8B-Q4_K_M.gguf',
      size_bytes: 5_027_783_488,
      sha256: 'd98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785',
    }),
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
