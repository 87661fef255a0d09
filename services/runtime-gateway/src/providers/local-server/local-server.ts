import type { ChatRequest, RuntimeHealth, RuntimeModel } from '@parley/shared/contracts';
import { ServiceError } from '@parley/shared/contracts';
import { UpstreamClient, type UpstreamRequest } from '../../upstream/upstream-client';
import type { UpstreamExchange } from '../../upstream/upstream-exchange';
import { cutOff, toServiceError } from '../../upstream/upstream-errors';
import type { GeneratedItem, Provider, ProviderSurroundings } from '../provider';
import { completionBody } from './completion-body';
import { completionError, LOCAL_SERVER_WORDS, notAStream, parseJson } from './completion-errors';
import { CompletionStream } from './completion-stream';
import { concession, LearnedForm } from './concessions';
import type { LocalServerSettings } from './local-server-settings';
import { listedModels } from './listed-models';

export const ID = 'local_server';
export const DISPLAY_NAME = 'Local model server';
const CHAT_PATH = '/v1/chat/completions';
const CONNECT_MS = 5_000;
/** A health probe that takes longer counts as no answer. */
const PROBE_MS = 5_000;
/** After the finish_reason only counts are outstanding; a server that then says nothing has said enough. */
const COUNTS_MS = 1_000;
/** How long the model's id, as the health answer names it, is believed. */
const MODEL_ID_MS = 30_000;

/**
 * A local server with an OpenAI-style chat API, such as llama.cpp's: GET /health for its health, /v1/models, and
 * /v1/chat/completions as a stream of server-sent events.
 */
export class LocalServer implements Provider {
  readonly id = ID;
  readonly display_name = DISPLAY_NAME;
  readonly capabilities;
  readonly uses_model_files = true;
  private readonly client: UpstreamClient;
  private readonly form = new LearnedForm();
  private knownModel: { id: string | null; at: number } | null = null;

  constructor(
    private readonly settings: LocalServerSettings,
    private readonly surroundings: ProviderSurroundings,
  ) {
    this.capabilities = {
      streaming: true,
      json_schema: settings.json_schema_enabled,
      grammar: false,
      tool_calling: false,
      embeddings: false,
    };
    this.client = new UpstreamClient({ baseUrl: settings.base_url, connectTimeoutMs: CONNECT_MS });
  }

  async *chatStream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<GeneratedItem> {
    const opening = this.openChat(request, signal);
    // Made while the server works, not between its first byte and the first token.
    const stream = new CompletionStream();
    const exchange = await opening;
    let countsTimer: NodeJS.Timeout | null = null;
    try {
      for (;;) {
        const chunk = await this.nextChunk(exchange, stream);
        for (const text of chunk === null ? stream.end() : stream.feed(chunk)) yield { type: 'token', text };
        if (chunk === null || stream.isDone) break;
        if (stream.isComplete) countsTimer ??= setTimeout(() => exchange.abort(), COUNTS_MS);
      }
      if (!stream.isStream && !this.isEventStream(exchange)) throw notAStream();
      if (!stream.isComplete) throw cutOff(LOCAL_SERVER_WORDS);
      const rest = stream.rest();
      if (rest !== '') yield { type: 'token', text: rest };
      yield stream.final({
        fallbackModel: request.model_id ?? this.settings.model_id ?? 'unknown',
        structured: request.json_schema !== null,
      });
    } finally {
      if (countsTimer !== null) clearTimeout(countsTimer);
      if (stream.isDone) void exchange.release();
      else exchange.abort();
    }
  }

  /** Reads the prompt into the server's cache: one token is the least that it generates. */
  async prewarm(request: ChatRequest, signal: AbortSignal): Promise<void> {
    const exchange = await this.openChat({ ...request, max_tokens: 0, json_schema: null }, signal);
    try {
      while ((await exchange.next()) !== null);
    } catch (error) {
      throw toServiceError(error, LOCAL_SERVER_WORDS);
    } finally {
      exchange.abort();
    }
  }

  async listModels(): Promise<RuntimeModel[]> {
    const installed = await this.surroundings.installedModels();
    let served: RuntimeModel[];
    try {
      const { status, text } = await this.readWhole({ path: '/v1/models', quietMs: this.settings.timeout_ms });
      if (status !== 200) throw completionError(status, parseJson(text));
      served = listedModels(parseJson(text), this.settings.context_length);
    } catch (error) {
      // What is installed can be started: a list of it helps more than the news that nothing runs.
      if (installed.length > 0 && error instanceof ServiceError && error.code === 'RUNTIME_UNAVAILABLE')
        return installed;
      throw error;
    }
    const servedNames = new Set(served.map((model) => fileName(model.id)));
    return [...served, ...installed.filter((model) => !servedNames.has(fileName(model.id)))];
  }

  async health(): Promise<RuntimeHealth> {
    const begun = performance.now();
    const state = await this.probe();
    if (state.status !== 'READY') {
      // Another server, or the same in another version, may be the next that is well.
      this.knownModel = null;
      this.form.forget();
    }
    return {
      runtime_id: ID,
      runtime_name: DISPLAY_NAME,
      status: state.status,
      model_id: state.status === 'READY' ? await this.currentModel() : this.settings.model_id,
      latency_ms: state.status === 'UNAVAILABLE' ? null : Math.round((performance.now() - begun) * 100) / 100,
      message: state.message,
      checked_at: this.surroundings.now().toISOString(),
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private headers(): Record<string, string> {
    const key = this.settings.api_key ?? this.surroundings.serverKey(this.settings.base_url);
    return key === null ? {} : { authorization: `Bearer ${key}` };
  }

  private async readWhole(
    request: Pick<UpstreamRequest, 'path' | 'quietMs'>,
  ): Promise<{ status: number; text: string }> {
    try {
      return await this.client.readWhole({ method: 'GET', headers: this.headers(), ...request });
    } catch (error) {
      if (error instanceof RangeError) throw notAStream();
      throw toServiceError(error, LOCAL_SERVER_WORDS);
    }
  }

  /** Sends the chat and resolves when a stream has begun. */
  private async openChat(request: ChatRequest, signal: AbortSignal): Promise<UpstreamExchange> {
    let form = this.form.current;
    for (;;) {
      const exchange = await this.post(completionBody(request, this.settings, form), signal);
      if (exchange.status === 200) {
        this.refuseCompressed(exchange);
        this.form.learned(form);
        return exchange;
      }
      const text = await exchange.readText(64 * 1024).catch(() => '');
      const less = concession(form, exchange.status, text);
      if (less === null) throw completionError(exchange.status, parseJson(text));
      form = less;
    }
  }

  private async post(body: unknown, signal: AbortSignal): Promise<UpstreamExchange> {
    try {
      return await this.client.open({
        method: 'POST',
        path: CHAT_PATH,
        body,
        headers: { ...this.headers(), accept: 'text/event-stream' },
        signal,
        quietMs: this.settings.chat_timeout_ms,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw toServiceError(error, LOCAL_SERVER_WORDS);
    }
  }

  private async nextChunk(exchange: UpstreamExchange, stream: CompletionStream): Promise<Buffer | null> {
    try {
      return await exchange.next();
    } catch (error) {
      // Whole already: how the connection ends after that does not matter.
      if (stream.isComplete) return null;
      throw toServiceError(error, LOCAL_SERVER_WORDS);
    }
  }

  private isEventStream(exchange: UpstreamExchange): boolean {
    return (exchange.header('content-type') ?? '').startsWith('text/event-stream');
  }

  private refuseCompressed(exchange: UpstreamExchange): void {
    if ((exchange.header('content-encoding') ?? 'identity') === 'identity') return;
    exchange.abort();
    throw notAStream();
  }

  private async probe(): Promise<Pick<RuntimeHealth, 'status' | 'message'>> {
    try {
      const { status } = await this.client.readWhole({ method: 'GET', path: '/health', quietMs: PROBE_MS });
      if (status === 200) return { status: 'READY', message: null };
      if (status === 503)
        return { status: 'STARTING', message: 'The local model server is loading its model; this can take a minute.' };
      if (status === 404 && (await this.hasModelList())) return { status: 'READY', message: null };
      return {
        status: 'ERROR',
        message: `The local model server answers its health probe with status ${status}; check SIM_LOCAL_SERVER_BASE_URL and its log.`,
      };
    } catch (error) {
      const known = toServiceError(error, LOCAL_SERVER_WORDS);
      if (known.code === 'RUNTIME_ERROR') return { status: 'ERROR', message: known.message };
      return { status: 'UNAVAILABLE', message: known.message };
    }
  }

  /** Servers other than llama.cpp may have no /health. */
  private async hasModelList(): Promise<boolean> {
    return (await this.readWhole({ path: '/v1/models', quietMs: PROBE_MS })).status === 200;
  }

  private async currentModel(): Promise<string | null> {
    const at = this.surroundings.now().getTime();
    if (this.settings.model_id !== null) return this.settings.model_id;
    if (this.knownModel !== null && Math.abs(at - this.knownModel.at) < MODEL_ID_MS) return this.knownModel.id;
    try {
      const { status, text } = await this.readWhole({ path: '/v1/models', quietMs: PROBE_MS });
      if (status !== 200) return null;
      this.knownModel = { id: listedModels(parseJson(text), null)[0]?.id ?? null, at };
      return this.knownModel.id;
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  }
}

const fileName = (id: string): string => id.split(/[/\\]/).at(-1) ?? id;
