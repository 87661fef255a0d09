import type { ServerResponse } from 'node:http';
import type {
  ChatItem,
  ChatRequest,
  ErrorCode,
  RuntimeChoice,
  RuntimeChoiceState,
  RuntimeModels,
  RuntimeStatus,
} from '@parley/shared/contracts';
import { AFFINITY_HEADER, ServiceError } from '@parley/shared/contracts';
import type { HttpService } from '@parley/shared/service';
import { stubService } from './stub-service';

/** What the scripted model server does with one chat request. */
export type ScriptedReply =
  /** Tokens, then the final item with all of them joined (or with `final`); `demo` as the demo voice says it. */
  | { readonly kind: 'text'; readonly pieces: readonly string[]; readonly final?: string; readonly demo?: true }
  /** An HTTP error before the first item. */
  | { readonly kind: 'refuse'; readonly code: ErrorCode; readonly details?: Record<string, unknown> }
  /** Tokens, then an error item. */
  | { readonly kind: 'error'; readonly pieces: readonly string[]; readonly code: ErrorCode }
  /** Tokens, then the connection breaks. */
  | { readonly kind: 'break'; readonly pieces: readonly string[] }
  /** Tokens, then nothing until the caller leaves or `until` resolves (then the final item). */
  | { readonly kind: 'hang'; readonly pieces: readonly string[]; readonly until?: Promise<void> };

interface ScriptedChooser {
  state(): RuntimeChoiceState;
  choose(choice: RuntimeChoice): void;
}

export interface ScriptedGateway {
  readonly service: HttpService;
  readonly url: string;
  /** Every chat request so far. */
  readonly requests: ChatRequest[];
  /** Every prompt that was to be read beforehand. */
  readonly prewarmed: ChatRequest[];
  /** The talk that each of those was for, as its caller named it. */
  readonly talks: { readonly requests: (string | undefined)[]; readonly prewarmed: (string | undefined)[] };
  /** How many callers went away before their answer was complete. */
  readonly cancelled: () => number;
  /** Decides what the next requests get; the last one stays. */
  reply(script: (request: ChatRequest, count: number) => ScriptedReply): void;
  /** From now on it takes choices; before, it answers 404 as a gateway that knows none. */
  chooses(chooser: ScriptedChooser): void;
  /** What its runtime says of itself from now on. */
  health(status: RuntimeStatus): void;
  /** How often it was asked for the health of its runtime. */
  readonly healthAsked: () => number;
  /** Decides how long reading a prompt beforehand takes from now on. */
  readAhead(answer: () => Promise<void>): void;
  /** Decides how the list of models is answered from now on. */
  listModels(answer: () => RuntimeModels | Promise<RuntimeModels>): void;
}

/** A whole NPC turn as JSON; give the members that matter. */
export function npcTurnJson(members: Record<string, unknown> = {}): string {
  return JSON.stringify({
    npc_utterance: 'I hear you. Go on.',
    npc_emotion: 'neutral',
    state_delta: {},
    event_flags: [],
    rubric_observations: [],
    safety: { action: 'ok', reason: null },
    session_control: { end_session: false, reason: null },
    ...members,
  });
}

/** Cuts a text into pieces of a few characters, as a model server does. */
export const inPieces = (text: string, size = 7): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];

const line = (item: ChatItem): string => `${JSON.stringify(item)}\n`;

async function play(script: ScriptedReply, response: ServerResponse): Promise<void> {
  if (script.kind === 'refuse') throw new Error('refused before the answer began');
  for (const text of script.pieces) response.write(line({ type: 'token', text }));
  if (script.kind === 'break') {
    response.destroy();
    return;
  }
  if (script.kind === 'hang') {
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    await Promise.race([gone, script.until ?? new Promise<void>(() => undefined)]);
    if (response.destroyed) return;
  }
  if (script.kind === 'error') {
    response.end(line({ type: 'error', code: script.code, message: 'The model server gave up.' }));
    return;
  }
  const text = (script.kind === 'text' ? script.final : undefined) ?? script.pieces.join('');
  const demo = script.kind === 'text' && script.demo === true ? { demo: true as const } : {};
  response.end(
    line({ type: 'final', text, model_id: 'scripted', input_tokens: 1, output_tokens: 1, structured: null, ...demo }),
  );
}

/** A stand-in for the runtime gateway whose model says what a test tells it to. */
export async function scriptedGateway(): Promise<ScriptedGateway> {
  const requests: ChatRequest[] = [];
  const prewarmed: ChatRequest[] = [];
  const talks: ScriptedGateway['talks'] = { requests: [], prewarmed: [] };
  let cancelled = 0;
  let healthAsked = 0;
  let status: RuntimeStatus = 'READY';
  let chooser: ScriptedChooser | null = null;
  const choosing = (): ScriptedChooser => {
    if (chooser === null) throw new ServiceError('NOT_FOUND', 'This gateway knows no choices.');
    return chooser;
  };
  let script: (request: ChatRequest, count: number) => ScriptedReply = () => ({
    kind: 'text',
    pieces: inPieces(npcTurnJson()),
  });
  let models = (): RuntimeModels | Promise<RuntimeModels> => ({
    models: [{ id: 'scripted', name: 'Scripted', context_length: 8192, size_bytes: null, loaded: true }],
  });
  let reading = (): Promise<void> => Promise.resolve();
  const capabilities = { streaming: true, json_schema: true, grammar: false, tool_calling: false, embeddings: false };
  const service = await stubService('runtime_gateway', {
    getRuntime: () => ({ body: { id: 'scripted', display_name: 'Scripted', capabilities } }),
    getRuntimeHealth: () => {
      healthAsked += 1;
      return {
        body: {
          runtime_id: 'scripted',
          runtime_name: 'Scripted',
          status,
          model_id: 'scripted',
          latency_ms: 0,
          message: null,
          checked_at: new Date().toISOString(),
        },
      };
    },
    getGatewayChoice: () => ({ body: choosing().state() }),
    putGatewayChoice: ({ body }) => {
      choosing().choose(body);
      return { body: choosing().state() };
    },
    listRuntimeModels: async () => ({ body: await models() }),
    prewarm: async ({ body, headers }) => {
      prewarmed.push(body);
      talks.prewarmed.push(headers[AFFINITY_HEADER]);
      await reading();
      return { status: 204 };
    },
    chat: ({ body, headers }) => {
      requests.push(body);
      talks.requests.push(headers[AFFINITY_HEADER]);
      const reply = script(body, requests.length);
      if (reply.kind === 'refuse') {
        const { code, details } = reply;
        throw new ServiceError(code, 'The model server refuses.', details === undefined ? {} : { details });
      }
      return {
        headers: { 'Content-Type': 'application/x-ndjson' },
        write: (response) => {
          response.once('close', () => {
            if (!response.writableFinished) cancelled += 1;
          });
          return play(reply, response);
        },
      };
    },
  });
  return {
    service,
    url: service.url,
    requests,
    prewarmed,
    talks,
    cancelled: () => cancelled,
    health: (next) => {
      status = next;
    },
    healthAsked: () => healthAsked,
    chooses: (next) => {
      chooser = next;
    },
    reply: (next) => {
      script = next;
    },
    readAhead: (answer) => {
      reading = answer;
    },
    listModels: (answer) => {
      models = answer;
    },
  };
}
