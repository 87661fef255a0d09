import {
  ServiceError,
  type FittingModel,
  type FittingModels,
  type FoundProgram,
  type ModelServerState,
  type RuntimeChoice,
  type RuntimeChoiceState,
  type RuntimeHealth,
  type RuntimeTrial,
} from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';

const UNDECIDED: RuntimeChoiceState = {
  decided_by: 'default',
  runtime_id: 'fake',
  base_url: null,
  model_id: null,
  variables: [],
  can_change: true,
};

const ADDRESSES = {
  fake: null,
  local_server: 'http://127.0.0.1:7356',
  local_native: 'http://127.0.0.1:11434',
} as const;
const NAMES = { fake: 'Demo voice', local_server: 'Local model server', local_native: 'Native model server' } as const;

const INSTALLED: ModelServerState = {
  installed: true,
  installing: null,
  message: null,
  size_bytes: 62_000_000,
  licence: 'MIT',
  command_found: 'llama-server',
};

/** Programs to be found, and a model to be fetched. */
export const OLLAMA: FoundProgram = {
  product: 'ollama',
  runtime_id: 'local_native',
  base_url: 'http://127.0.0.1:11434',
  models: ['small:1b', 'large:8b'],
  problem: null,
};
export const LLAMA: FoundProgram = {
  product: 'llama_server',
  runtime_id: 'local_server',
  base_url: 'http://127.0.0.1:8080',
  models: ['/home/me/models/tiny-Q4.gguf'],
  problem: null,
};
export const MODEL: FittingModel = {
  name: 'Small 2B',
  memory_gb: 4,
  license: 'Apache-2.0',
  size_gb: 1.8,
  pull: 'small:2b',
  gguf: {
    repository: 'makers/Small-2B-GGUF',
    file: 'small-2b.gguf',
    url: 'https://models.invalid/makers/Small-2B-GGUF/resolve/1/small-2b.gguf',
    size_bytes: 1_834_000_000,
    sha256: 'b'.repeat(64),
  },
  note: 'Quick on any machine.',
  memory_bytes: 3_334_000_000,
  words_per_second: { from: 4.5, to: 11 },
};

/** Who plays and what could: the choice, what is found, what fits, the program that runs a model. */
export class StandInChoice {
  state: RuntimeChoiceState = UNDECIDED;
  found: FoundProgram[] = [];
  fitting: FittingModels = {
    models: [],
    memory_available_bytes: 6_000_000_000,
    cores: 4,
    least_memory_bytes: 3_300_000_000,
  };
  trial: RuntimeTrial = { text: 'Like a stone, thank you!', model_id: 'm', first_word_ms: 420, total_ms: 1_300 };
  /** What a try is refused with; null: it is not. */
  trialFails: ServiceError | null = null;
  /** null: the service knows no such thing. */
  modelServer: ModelServerState | null = INSTALLED;
  /** How often somebody looked. */
  looks = 0;
  readonly chosen: RuntimeChoice[] = [];

  /** @param play told of what plays from now on. */
  constructor(
    private readonly play: (runtime: Pick<RuntimeHealth, 'runtime_id' | 'runtime_name' | 'model_id'>) => void,
  ) {}

  reset(): void {
    Object.assign(this, { state: UNDECIDED, found: [], trialFails: null, modelServer: INSTALLED, looks: 0 });
    this.fitting = { ...this.fitting, models: [] };
    this.chosen.length = 0;
  }

  handlers(): Handlers {
    return {
      getRuntimeChoice: () => ({ body: this.state }),
      putRuntimeChoice: ({ body }) => {
        this.chosen.push(body);
        const { runtime_id, base_url = ADDRESSES[runtime_id], model_id = null } = body;
        this.state = { ...this.state, decided_by: 'choice', runtime_id, base_url, model_id };
        this.play({ runtime_id, runtime_name: NAMES[runtime_id], model_id: model_id ?? 'the-model' });
        return { body: this.state };
      },
      tryRuntime: () => {
        if (this.trialFails !== null) throw this.trialFails;
        return { body: this.trial };
      },
    };
  }

  /** @throws ServiceError NOT_FOUND when the service knows no such thing. */
  server(): ModelServerState {
    if (this.modelServer === null) throw new ServiceError('NOT_FOUND', 'There is nothing at this path.');
    return this.modelServer;
  }

  /** Begins an install that goes on as a test says. */
  installServer(): ModelServerState {
    const installing = { started_at: new Date(0).toISOString(), packages_done: 1, packages_total: 9, line: 'fetching' };
    this.modelServer = { ...this.server(), installing };
    return this.modelServer;
  }

  cancelServer(): ModelServerState {
    this.modelServer = { ...this.server(), installing: null };
    return this.modelServer;
  }
}
