import type {
  FoundProgram,
  ModelInstall,
  ModelServerState,
  RuntimeChoiceState,
  SuggestedModel,
  RuntimeHealth,
  RuntimeModel,
  Sidecar,
} from '@parley/shared/contracts';
import type { OperationExamples } from './operation-example';

const FILE = 'Qwen3-4B-Q4_K_M.gguf';
const SHA256 = '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5';
const ADDRESS = `https://models.example/Qwen3-4B-GGUF/${FILE}`;
const SIZE = 2_497_280_256;

const MODEL: RuntimeModel = { id: FILE, name: 'Qwen3-4B-Q4_K_M', context_length: 8192, size_bytes: SIZE, loaded: true };

const QUEUED: ModelInstall = {
  id: '5b2d7c1e-3f7e-4c41-9d0b-0a7f6f1f8f4a',
  model_id: FILE,
  status: 'queued',
  bytes_done: 0,
  bytes_total: null,
  message: null,
};
const DOWNLOADING: ModelInstall = {
  ...QUEUED,
  status: 'downloading',
  bytes_done: 1_048_576_000,
  bytes_total: SIZE,
};

const RUNNING: Sidecar = {
  status: 'running',
  pid: 4172,
  command: 'llama-server',
  port: 7356,
  model_id: FILE,
  started_at: '2026-01-31T09:12:00.000Z',
  last_exit: null,
};
const STOPPED: Sidecar = {
  ...RUNNING,
  status: 'stopped',
  pid: null,
  started_at: null,
  last_exit: { code: 0, signal: null, at: '2026-01-31T18:00:00.000Z', message: null },
};

const NO_MODEL_SERVER: ModelServerState = {
  installed: false,
  installing: null,
  size_bytes: 115_000_000,
  licence: 'MIT',
  command_found: null,
  message: null,
};

export const RUNTIME_HEALTH: RuntimeHealth = {
  runtime_id: 'local_server',
  runtime_name: 'Local server',
  status: 'READY',
  model_id: FILE,
  latency_ms: 3.2,
  message: null,
  checked_at: '2026-01-31T09:30:00.000Z',
};

const CHAT = {
  messages: [
    { role: 'system' as const, content: 'You play Dana, a manager who likes the player and has no money.' },
    { role: 'user' as const, content: 'I would like 53,000.' },
  ],
  max_tokens: 200,
};

const SUGGESTED: SuggestedModel = {
  name: 'Qwen3 4B',
  memory_gb: 8,
  license: 'Apache-2.0',
  size_gb: 2.5,
  pull: 'qwen3:4b',
  gguf: { repository: 'Qwen/Qwen3-4B-GGUF', file: FILE, url: ADDRESS, size_bytes: SIZE, sha256: SHA256 },
  note: 'A good first choice: follows the form of the answer well.',
};

const OLLAMA = { runtime_id: 'local_native', base_url: 'http://127.0.0.1:11434', model_id: 'qwen3:4b' } as const;
const CHOSEN: RuntimeChoiceState = { ...OLLAMA, decided_by: 'choice', variables: [], can_change: true };
const FOUND: FoundProgram = {
  product: 'ollama',
  runtime_id: 'local_native',
  base_url: OLLAMA.base_url,
  models: ['qwen3:4b'],
  problem: null,
};

/** Of the operations on models, the sidecar and the gateway. */
export const MODEL_EXAMPLES: OperationExamples = {
  listModels: { responses: { 200: { runtime_id: 'local_server', active_model_id: FILE, models: [MODEL] } } },
  installModel: { request: { url: ADDRESS, sha256: SHA256 }, responses: { 202: { install: QUEUED } } },
  listInstalls: { responses: { 200: { installs: [DOWNLOADING] } } },
  getInstall: { params: { id: QUEUED.id }, responses: { 200: DOWNLOADING } },
  cancelInstall: { params: { id: QUEUED.id }, responses: {} },
  deleteModel: { params: { id: FILE }, responses: {} },
  listSuggestedModels: {
    responses: {
      200: {
        models: [SUGGESTED],
      },
    },
  },
  listFittingModels: {
    responses: {
      200: {
        models: [{ ...SUGGESTED, memory_bytes: SIZE + 1_500_000_000, words_per_second: { from: 3.5, to: 8.5 } }],
        memory_available_bytes: 9_200_000_000,
        cores: 4,
        least_memory_bytes: 3_334_426_016,
      },
    },
  },
  getRuntimeChoice: { responses: { 200: CHOSEN } },
  putRuntimeChoice: { request: OLLAMA, responses: { 200: CHOSEN } },
  getGatewayChoice: { responses: { 200: CHOSEN } },
  putGatewayChoice: { request: OLLAMA, responses: { 200: CHOSEN } },
  findRuntimes: { responses: { 200: { found: [FOUND] } } },
  tryRuntime: {
    responses: {
      200: {
        text: 'Like a stone, thank you for asking!',
        model_id: OLLAMA.model_id,
        first_word_ms: 420,
        total_ms: 1350,
      },
    },
  },
  getSidecar: { responses: { 200: RUNNING } },
  startSidecar: { request: { model_id: FILE }, responses: { 200: { ...RUNNING, status: 'starting' } } },
  stopSidecar: { responses: { 200: STOPPED } },
  getSidecarLog: { responses: { 200: { lines: ['main: server is listening on http://127.0.0.1:7356'] } } },
  getModelServer: { responses: { 200: { ...NO_MODEL_SERVER, installed: true, command_found: 'bundled' } } },
  installModelServer: {
    responses: {
      202: {
        ...NO_MODEL_SERVER,
        installing: { started_at: '2026-01-31T09:30:00.000Z', packages_done: 12, packages_total: 127, line: 'semver' },
      },
    },
  },
  cancelModelServerInstall: { responses: {} },
  getRuntime: {
    responses: {
      200: {
        id: 'local_server',
        display_name: 'Local server',
        capabilities: { streaming: true, json_schema: true, grammar: false, tool_calling: false, embeddings: false },
      },
    },
  },
  getRuntimeHealth: { responses: { 200: RUNTIME_HEALTH } },
  listRuntimeModels: { responses: { 200: { models: [MODEL] } } },
  chat: { request: CHAT, responses: { 200: { type: 'token', text: 'Okay. I' } } },
  prewarm: { request: CHAT, responses: {} },
};
