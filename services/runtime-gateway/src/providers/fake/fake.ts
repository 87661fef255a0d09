import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatRequest, RuntimeHealth, RuntimeModel } from '@parley/shared/contracts';
import {
  cannedTurn,
  chooseLine,
  playerMood,
  playerUtterance,
  spokenLanguage,
  textHash,
} from '@parley/shared/demo-voice';
import type { GeneratedItem, Provider, ProviderDefinition } from '../provider';
import { cannedDebrief } from './canned-debrief';

const ID = 'fake';
const DISPLAY_NAME = 'Demo runtime';

const MODELS: readonly [RuntimeModel, RuntimeModel] = [
  { id: 'fake-small', name: 'fake-small', context_length: 4096, size_bytes: null, loaded: true },
  { id: 'fake-large', name: 'fake-large', context_length: 32768, size_bytes: null, loaded: true },
];

export interface FakeSettings {
  /** Milliseconds between two words. */
  readonly word_delay_ms: number;
}

/**
 * What the fake answers: plain text without a schema, else a debrief narrative or a character's turn as JSON. A cue is what
 * it says, in the author's words.
 */
function answerTo(request: ChatRequest): { text: string; structured: Record<string, unknown> | null } {
  const { messages, json_schema: schema, cue } = request;
  if (schema === null) {
    if (cue !== undefined) return { text: cue.text, structured: null };
    const said = playerUtterance(messages);
    const { mood } = playerMood(said, spokenLanguage(messages));
    return { text: chooseLine(messages, mood, textHash(said)), structured: null };
  }
  const members = schema['properties'];
  const isDebrief = typeof members === 'object' && members !== null && 'replay_suggestions' in members;
  const structured = isDebrief ? cannedDebrief(messages) : cannedTurn(messages, schema, cue ?? null);
  return { text: JSON.stringify(structured), structured: { ...structured } };
}

/** Word by word: every piece is one word with the space after it. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

/**
 * The deterministic test double (docs/interface.md, Runtimes): the same request gives the same answer, every time and
 * everywhere, and no model is needed. It makes every scenario playable to each of its endings.
 */
export class Fake implements Provider {
  readonly id = ID;
  readonly display_name = DISPLAY_NAME;
  readonly capabilities = {
    streaming: true,
    json_schema: false,
    grammar: false,
    tool_calling: false,
    embeddings: false,
  };

  constructor(
    private readonly settings: FakeSettings,
    private readonly now: () => Date,
  ) {}

  listModels(): Promise<RuntimeModel[]> {
    return Promise.resolve([...MODELS]);
  }

  async *chatStream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<GeneratedItem> {
    const model = MODELS.find((one) => one.id === request.model_id) ?? MODELS[0];
    const { text, structured } = answerTo(request);
    const words = wordsOf(text);
    for (const word of words) {
      if (this.settings.word_delay_ms > 0) await sleep(this.settings.word_delay_ms, undefined, { signal });
      signal.throwIfAborted();
      yield { type: 'token', text: word };
    }
    yield {
      type: 'final',
      text,
      model_id: model.id,
      input_tokens: request.messages.reduce((sum, message) => sum + wordsOf(message.content).length, 0),
      output_tokens: words.length,
      structured,
      finish_reason: 'stop',
      demo: true,
    };
  }

  health(): Promise<RuntimeHealth> {
    return Promise.resolve({
      runtime_id: ID,
      runtime_name: DISPLAY_NAME,
      status: 'READY',
      model_id: 'fake-small',
      latency_ms: 0,
      message: null,
      checked_at: this.now().toISOString(),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export const fakeProvider: ProviderDefinition = {
  id: ID,
  variables: {},
  configure(reader) {
    const settings = { word_delay_ms: reader.integer('SIM_FAKE_WORD_DELAY_MS', 0, { min: 0, max: 60_000 }) };
    return { create: ({ now }) => new Fake(settings, now), base_url: null };
  },
};
