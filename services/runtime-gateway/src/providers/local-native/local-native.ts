import { JsonLines } from '@parley/shared/client';
import type { ChatRequest, RuntimeHealth, RuntimeModel } from '@parley/shared/contracts';
import { ServiceError } from '@parley/shared/contracts';
import { UpstreamClient, type UpstreamRequest, type WholeAnswer } from '../../upstream/upstream-client';
import type { UpstreamExchange } from '../../upstream/upstream-exchange';
import { cutOff, toServiceError } from '../../upstream/upstream-errors';
import type { GeneratedItem, Provider, ProviderDefinition, ProviderSurroundings, PullProgress } from '../provider';
import { readLocalNativeSettings, type LocalNativeSettings } from './local-native-settings';
import {
  LOCAL_NATIVE_WORDS,
  nativeError,
  pullError,
  noModels,
  noSuchModel,
  notNative,
  remoteModel,
} from './native-errors';
import { asRuntimeModel, isNamed, loadedNames, madeForContext, taggedModels, type NativeModel } from './native-models';
import { NativeStream } from './native-stream';
import { PullSum } from './pull-progress';

const ID = 'local_native';
const DISPLAY_NAME = 'Native model server';
/** A health probe that takes longer counts as no answer. */
const PROBE_MS = 5_000;
/** How long the tag list is believed when a chat only needs to know its model. */
const TAGS_MS = 5_000;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A local server with Ollama's native REST API: /api/chat as lines of JSON, /api/tags for its models. */
class LocalNative implements Provider {
  readonly id = ID;
  readonly display_name = DISPLAY_NAME;
  readonly capabilities = {
    streaming: true,
    json_schema: true,
    grammar: false,
    tool_calling: false,
    embeddings: false,
  };
  private readonly client: UpstreamClient;
  private knownTags: { models: NativeModel[]; at: number } | null = null;
  private readonly contextByDigest = new Map<string, number | null>();

  constructor(
    private readonly settings: LocalNativeSettings,
    private readonly surroundings: ProviderSurroundings,
  ) {
    this.client = new UpstreamClient({ baseUrl: settings.base_url, connectTimeoutMs: settings.connect_timeout_ms });
  }

  async *chatStream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<GeneratedItem> {
    const modelId = await this.chooseModel(request.model_id ?? this.settings.model_id, signal);
    const opening = this.openChat(request, modelId, signal);
    // Made while the server works, not between its first byte and the first token.
    const stream = new NativeStream(modelId);
    const exchange = await opening;
    try {
      while (!stream.isComplete) {
        const chunk = await this.nextChunk(exchange);
        for (const text of chunk === null ? stream.end() : stream.feed(chunk)) yield { type: 'token', text };
        if (chunk === null) break;
      }
      if (!stream.isComplete) throw cutOff(LOCAL_NATIVE_WORDS);
      const rest = stream.rest();
      if (rest !== '') yield { type: 'token', text: rest };
      yield stream.final({ structured: request.json_schema !== null });
    } finally {
      if (stream.isComplete) void exchange.release();
      else exchange.abort();
    }
  }

  async listModels(): Promise<RuntimeModel[]> {
    const [local, loaded] = await Promise.all([this.localModels(), this.loaded()]);
    return Promise.all(
      local.map(async (model) =>
        asRuntimeModel(model, {
          loaded: loaded.has(model.id),
          askedContext: this.settings.context_length,
          madeFor: await this.madeFor(model),
        }),
      ),
    );
  }

  async health(): Promise<RuntimeHealth> {
    const begun = performance.now();
    const state = await this.probe();
    return {
      runtime_id: ID,
      runtime_name: DISPLAY_NAME,
      ...state,
      latency_ms: state.status === 'UNAVAILABLE' ? null : Math.round((performance.now() - begun) * 100) / 100,
      checked_at: this.surroundings.now().toISOString(),
    };
  }

  async pull(name: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal): Promise<void> {
    const exchange = await this.open({ path: '/api/pull', body: { model: name, stream: true }, signal });
    try {
      if (exchange.status !== 200) throw pullError(name, parse(await exchange.readText(64 * 1024).catch(() => '')));
      await this.followPull(exchange, name, onProgress);
      this.knownTags = null;
    } finally {
      exchange.abort();
    }
  }

  async deleteModel(id: string): Promise<void> {
    const { status, text } = await this.call({ method: 'DELETE', path: '/api/delete', body: { model: id } });
    this.knownTags = null;
    if (status === 404) throw new ServiceError('MODEL_NOT_FOUND', 'The native model server has no such model.');
    if (status >= 300) throw nativeError(status, parse(text), id);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** null: the first that is listed. A model that runs elsewhere is refused, also when it was asked for by name. */
  private async chooseModel(wanted: string | null, signal: AbortSignal): Promise<string> {
    const { knownTags } = this;
    const isFresh = knownTags !== null && Math.abs(this.surroundings.now().getTime() - knownTags.at) < TAGS_MS;
    const hasLocal = knownTags?.models.some((model) => !model.is_remote) === true;
    const tags = isFresh && hasLocal ? knownTags.models : await this.tags({ signal });
    if (wanted === null) {
      const first = tags.find((model) => !model.is_remote);
      if (first === undefined) throw noModels();
      return first.id;
    }
    if (tags.some((model) => model.is_remote && isNamed(wanted)(model)) || /[:-]cloud$/.test(wanted))
      throw remoteModel(wanted);
    return wanted;
  }

  private async openChat(request: ChatRequest, modelId: string, signal: AbortSignal): Promise<UpstreamExchange> {
    const exchange = await this.open({
      path: '/api/chat',
      signal,
      body: {
        model: modelId,
        messages: request.messages,
        stream: true,
        ...(request.json_schema === null ? {} : { format: request.json_schema }),
        // On by default for models that can: the player would wait for thoughts that nobody hears.
        think: false,
        keep_alive: this.settings.keep_alive,
        options: {
          num_predict: request.max_tokens,
          num_ctx: this.settings.context_length,
          temperature: request.temperature,
        },
      },
    });
    if (exchange.status !== 200)
      throw nativeError(exchange.status, parse(await exchange.readText(64 * 1024).catch(() => '')), modelId);
    if ((exchange.header('content-encoding') ?? 'identity') !== 'identity') {
      exchange.abort();
      throw notNative();
    }
    return exchange;
  }

  private async open(
    request: Pick<UpstreamRequest, 'path' | 'body'> & { signal: AbortSignal },
  ): Promise<UpstreamExchange> {
    try {
      return await this.client.open({ method: 'POST', quietMs: this.settings.chat_timeout_ms, ...request });
    } catch (error) {
      if (request.signal.aborted) throw error;
      throw toServiceError(error, LOCAL_NATIVE_WORDS);
    }
  }

  private async nextChunk(exchange: UpstreamExchange): Promise<Buffer | null> {
    try {
      return await exchange.next();
    } catch (error) {
      throw toServiceError(error, LOCAL_NATIVE_WORDS);
    }
  }

  private async call(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body'>,
    waiting: Partial<Pick<UpstreamRequest, 'quietMs' | 'signal'>> = {},
  ): Promise<WholeAnswer> {
    try {
      return await this.client.readWhole({ quietMs: this.settings.control_timeout_ms, ...waiting, ...request });
    } catch (error) {
      if (error instanceof RangeError) throw notNative();
      throw toServiceError(error, LOCAL_NATIVE_WORDS);
    }
  }

  private async followPull(
    exchange: UpstreamExchange,
    name: string,
    onProgress: (progress: PullProgress) => void,
  ): Promise<void> {
    const lines = new JsonLines();
    const sum = new PullSum();
    for (;;) {
      const chunk = await this.nextChunk(exchange);
      const batch = chunk === null ? lines.end() : lines.feed(chunk);
      for (const line of batch.lines) {
        const object = (parse(line) ?? {}) as Record<string, unknown>;
        if (object['error'] !== undefined) throw pullError(name, object);
        onProgress(sum.add(object));
        if (object['status'] === 'success') return;
      }
      if (chunk === null || batch.overflow) throw cutOff(LOCAL_NATIVE_WORDS);
    }
  }

  private async tags(waiting: Partial<Pick<UpstreamRequest, 'quietMs' | 'signal'>> = {}): Promise<NativeModel[]> {
    const { status, text } = await this.call({ method: 'GET', path: '/api/tags' }, waiting);
    if (status !== 200) throw nativeError(status, parse(text), 'any');
    const models = taggedModels(parse(text));
    if (models === null) throw notNative();
    this.knownTags = { models, at: this.surroundings.now().getTime() };
    return models;
  }

  private async localModels(): Promise<NativeModel[]> {
    return (await this.tags()).filter((model) => !model.is_remote);
  }

  /** What is in memory is good to know, but no reason to fail. */
  private async loaded(): Promise<Set<string>> {
    try {
      const { status, text } = await this.call({ method: 'GET', path: '/api/ps' });
      return status === 200 ? loadedNames(parse(text)) : new Set();
    } catch (error) {
      if (error instanceof ServiceError) return new Set();
      throw error;
    }
  }

  private async madeFor(model: NativeModel): Promise<number | null> {
    const known = this.contextByDigest.get(model.digest);
    if (known !== undefined && model.digest !== '') return known;
    try {
      const { status, text } = await this.call({ method: 'POST', path: '/api/show', body: { model: model.id } });
      const length = status === 200 ? madeForContext(parse(text)) : null;
      if (model.digest !== '') this.contextByDigest.set(model.digest, length);
      return length;
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  }

  private async probe(): Promise<Pick<RuntimeHealth, 'status' | 'message' | 'model_id'>> {
    try {
      const { status } = await this.call({ method: 'GET', path: '/' }, { quietMs: PROBE_MS });
      if (status >= 400)
        return {
          status: 'ERROR',
          model_id: null,
          message: `The native model server answers its probe with status ${status}; check SIM_NATIVE_SERVER_BASE_URL.`,
        };
      const local = (await this.tags({ quietMs: PROBE_MS })).filter((one) => !one.is_remote);
      if (local.length === 0) return { status: 'DEGRADED', model_id: null, message: noModels().message };
      const wanted = this.settings.model_id;
      const model = wanted === null ? local[0] : local.find(isNamed(wanted));
      if (model === undefined) return { status: 'ERROR', model_id: null, message: noSuchModel(`${wanted}`).message };
      return { status: 'READY', model_id: model.id, message: null };
    } catch (error) {
      const known = toServiceError(error, LOCAL_NATIVE_WORDS);
      return {
        status: known.code === 'RUNTIME_ERROR' ? 'ERROR' : 'UNAVAILABLE',
        model_id: null,
        message: known.message,
      };
    }
  }
}

export const localNativeProvider: ProviderDefinition = {
  id: ID,
  variables: { base_url: 'SIM_NATIVE_SERVER_BASE_URL' },
  configure(reader) {
    const settings = readLocalNativeSettings(reader);
    return {
      create: (surroundings, chosen) => new LocalNative({ ...settings, ...chosen }, surroundings),
      base_url: settings.base_url,
    };
  },
};
