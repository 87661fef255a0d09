import { text } from 'node:stream/consumers';
import {
  InstallModelRequest,
  ServiceError,
  StartSidecarRequest,
  type ModelInstall,
  type RuntimeModel,
  type Sidecar,
  type SuggestedModel,
} from '@parley/shared/contracts';
import type { Forward, RequestContext } from '@parley/shared/service';
import type { StandInChoice } from './stand-in-choice';

const SUGGESTED: SuggestedModel[] = [
  {
    name: 'Small 2B',
    memory_gb: 4,
    license: 'Apache-2.0',
    size_gb: 1.8,
    pull: 'small:2b',
    gguf: {
      repository: 'makers/Small-2B-GGUF',
      file: 'small-2b-q8.gguf',
      url: 'https://models.invalid/makers/Small-2B-GGUF/resolve/1/small-2b-q8.gguf',
      size_bytes: 1_834_000_000,
      sha256: 'b'.repeat(64),
    },
    note: 'Quick on any machine.',
  },
  {
    name: 'Large 12B',
    memory_gb: 16,
    license: 'Apache-2.0',
    size_gb: 7.1,
    pull: 'large:12b',
    gguf: null,
    note: 'Speaks most naturally of these.',
  },
];

const STOPPED: Sidecar = {
  status: 'stopped',
  pid: null,
  command: 'llama-server',
  port: 7356,
  model_id: null,
  started_at: null,
  last_exit: null,
};

const readJson = async (raw: RequestContext['raw']): Promise<unknown> => {
  const sent = await text(raw);
  return sent === '' ? {} : (JSON.parse(sent) as unknown);
};

/** What session-api passes on to the runtime gateway: installs, deleting, suggestions, the model server. */
export class StandInModels {
  listed: RuntimeModel[] = [
    { id: 'fake-small', name: 'fake-small', context_length: 4096, size_bytes: null, loaded: true },
    { id: 'fake-large', name: 'fake-large', context_length: 32768, size_bytes: 2_500_000_000, loaded: false },
  ];
  installs: ModelInstall[] = [];
  sidecar: Sidecar = STOPPED;
  log: string[] = ['starting llama-server', 'ready'];
  suggested = SUGGESTED;
  /** Every request to install, in order. */
  readonly asked: InstallModelRequest[] = [];
  /** What a runtime says that can neither install, delete nor start anything; null: it can. */
  unable: string | null = null;

  constructor(private readonly choice: StandInChoice) {}

  reset(): void {
    Object.assign(this, { installs: [], sidecar: STOPPED, unable: null, suggested: SUGGESTED });
    this.asked.length = 0;
  }

  readonly forward: Forward = async (route, { raw }) => {
    const id = decodeURIComponent((raw.url ?? '').split('/').at(-1) ?? '');
    switch (route.operation) {
      case 'listSuggestedModels':
        return { body: { models: this.suggested } };
      case 'findRuntimes':
        this.choice.looks += 1;
        return { body: { found: this.choice.found } };
      case 'listFittingModels':
        return { body: this.choice.fitting };
      case 'getModelServer':
        return { body: this.choice.server() };
      case 'installModelServer':
        raw.resume();
        return { status: 202, body: this.choice.installServer() };
      case 'cancelModelServerInstall':
        return { body: this.choice.cancelServer() };
      case 'listInstalls':
        return { body: { installs: this.installs } };
      case 'installModel': {
        const request = InstallModelRequest.parse(await readJson(raw));
        this.requireAbility();
        return { status: 202, body: { install: this.begin(request) } };
      }
      case 'cancelInstall':
        this.installs = this.installs.flatMap((one) => {
          if (one.id !== id) return [one];
          return one.status === 'downloading' ? [{ ...one, status: 'cancelled' as const }] : [];
        });
        return {};
      case 'deleteModel':
        this.requireAbility();
        this.listed = this.listed.filter((model) => model.id !== id);
        return {};
      case 'getSidecar':
        return { body: this.sidecar };
      case 'startSidecar': {
        const { model_id: wanted } = StartSidecarRequest.parse(await readJson(raw));
        this.requireAbility();
        this.sidecar = { ...STOPPED, status: 'starting', pid: 4711, model_id: wanted ?? null };
        return { body: this.sidecar };
      }
      case 'stopSidecar':
        this.sidecar = STOPPED;
        return { body: this.sidecar };
      case 'getSidecarLog':
        return { body: { lines: this.log } };
      default:
        throw new ServiceError('NOT_FOUND', 'The stand-in does not answer this.');
    }
  };

  private begin(request: InstallModelRequest): ModelInstall {
    this.asked.push(request);
    const from = 'pull' in request ? request.pull : 'url' in request ? request.url : request.file;
    const install: ModelInstall = {
      id: `install-${this.asked.length}`,
      model_id: from.split('/').at(-1) ?? from,
      status: 'downloading',
      bytes_done: 640_000_000,
      bytes_total: 2_500_000_000,
      message: null,
    };
    this.installs = [install, ...this.installs];
    return install;
  }

  private requireAbility(): void {
    if (this.unable !== null) throw new ServiceError('NOT_SUPPORTED_BY_RUNTIME', this.unable);
  }
}
