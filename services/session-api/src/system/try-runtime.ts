import { streamChat } from '@parley/shared/client';
import type { ChatRequestInput, RuntimeTrial } from '@parley/shared/contracts';

const QUESTION: ChatRequestInput = {
  messages: [
    { role: 'system', content: 'You are a friendly neighbour. Answer in one short sentence.' },
    { role: 'user', content: 'Good morning! Did you sleep well?' },
  ],
  max_tokens: 60,
};
/** Code points of the answer that are shown. */
const SHOWN = 200;

export interface TrialOptions {
  readonly gateway: string;
  readonly quietMs: number;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * Has the runtime that plays say one line, as a turn would: through the gateway, streamed.
 * @throws ServiceError as a chat does.
 */
export async function tryRuntime({ gateway, quietMs, requestId, signal }: TrialOptions): Promise<RuntimeTrial> {
  const begun = performance.now();
  const elapsed = (): number => Math.round(performance.now() - begun);
  let firstWordMs: number | null = null;
  const final = await streamChat(
    gateway,
    QUESTION,
    (text) => {
      if (text.trim() !== '') firstWordMs ??= elapsed();
    },
    { signal, requestId, quietTimeoutMs: quietMs },
  );
  const totalMs = elapsed();
  return {
    text: [...final.text.trim()].slice(0, SHOWN).join(''),
    model_id: final.model_id,
    first_word_ms: firstWordMs ?? totalMs,
    total_ms: totalMs,
  };
}
