import { DEFAULT_PORTS } from '@parley/shared/contracts';

/** Where a model server is looked for, and which one is expected there. */
export interface Place {
  readonly product: 'ollama' | 'llama_server' | 'lm_studio';
  readonly base_url: string;
}

/** The ports that the programs take unless they are told otherwise. */
export const USUAL_PLACES: readonly Place[] = [
  { product: 'ollama', base_url: 'http://127.0.0.1:11434' },
  { product: 'llama_server', base_url: `http://127.0.0.1:${DEFAULT_PORTS.model_server}` },
  { product: 'llama_server', base_url: 'http://127.0.0.1:8080' },
  { product: 'lm_studio', base_url: 'http://127.0.0.1:1234' },
];
