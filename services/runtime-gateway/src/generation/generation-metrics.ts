import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChatFinal } from '@parley/shared/contracts';
import type { Provider } from '../providers/provider';
import type { GenerationSlots } from './generation-slots';

type GenerationOutcome = 'final' | 'error' | 'cancelled';

/** What generation costs and how it ends: counts and times, no text and no ids. */
export interface GenerationMetrics {
  /** @param seconds From the request to its first item. */
  firstItem(seconds: number): void;
  finished(outcome: GenerationOutcome, final: ChatFinal | null): void;
}

/** @param playing The provider that plays now. */
export function createGenerationMetrics(
  registry: Registry,
  slots: GenerationSlots,
  playing: () => Provider,
): GenerationMetrics {
  const registers = [registry];
  const firstItems = new Histogram({
    name: 'parley_generation_first_item_seconds',
    help: 'Time from a chat request to the first item of its answer, waiting for a slot included.',
    buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 180],
    registers,
  });
  const tokens = new Counter({
    name: 'parley_generation_tokens_total',
    help: 'Tokens, as the model server counts them.',
    labelNames: ['kind'] as const,
    registers,
  });
  const generations = new Counter({
    name: 'parley_generations_total',
    help: 'Chats, by how they ended.',
    labelNames: ['outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'parley_generation_slots',
    help: 'Chats that run and chats that wait for a slot.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'running' }, slots.runningCount);
      this.set({ state: 'waiting' }, slots.waitingCount);
    },
  });
  new Gauge({
    name: 'parley_model_server_running',
    help: 'Chats that run at each model server of a pool, prompts that are read ahead among them.',
    labelNames: ['server'] as const,
    registers,
    collect() {
      this.reset();
      for (const { address, running } of playing().servers ?? []) this.set({ server: address }, running);
    },
  });
  new Gauge({
    name: 'parley_model_server_up',
    help: 'Whether each model server of a pool is given chats: 1, or 0 while it is left out.',
    labelNames: ['server'] as const,
    registers,
    collect() {
      this.reset();
      for (const { address, is_well } of playing().servers ?? []) this.set({ server: address }, is_well ? 1 : 0);
    },
  });
  return {
    firstItem: (seconds) => firstItems.observe(seconds),
    finished(outcome, final) {
      generations.inc({ outcome });
      if (final === null) return;
      tokens.inc({ kind: 'output' }, final.output_tokens ?? 0);
      tokens.inc({ kind: 'prompt' }, final.input_tokens ?? 0);
      tokens.inc({ kind: 'prompt_cached' }, final.usage?.prompt_tokens_cached ?? 0);
      tokens.inc({ kind: 'prompt_evaluated' }, final.usage?.prompt_tokens_evaluated ?? 0);
    },
  };
}
