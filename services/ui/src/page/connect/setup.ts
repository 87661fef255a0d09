import type {
  FoundProgram,
  InstallModelRequest,
  ModelInstall,
  ModelServerState,
  RuntimeChoice,
  RuntimeTrial,
  Sidecar,
} from '@parley/shared/contracts';

export type StepName = 'server' | 'download' | 'start' | 'choose' | 'try';
export type StepState = 'waiting' | 'running' | 'done' | 'skipped' | 'failed';

/** What connects a model: a program that runs, or one that is fetched, and run by Parley or by Ollama. */
export interface Setup {
  /** For people. */
  readonly name: string;
  /** In the order in which they are carried out. */
  readonly steps: readonly StepName[];
  readonly choice: RuntimeChoice;
  /** What is to be fetched, and what it is called then; null: nothing. */
  readonly fetched: { readonly request: InstallModelRequest; readonly modelId: string } | null;
}

/** Plays with a program that was found, with one of its models. */
export function setupOfFound({ runtime_id, base_url, models }: FoundProgram, name: string, model: string): Setup {
  // A server with one model has it loaded; a name would only get stale.
  const needsName = runtime_id === 'local_native' || models.length > 1;
  return {
    name,
    steps: ['choose', 'try'],
    choice: needsName ? { runtime_id, base_url, model_id: model } : { runtime_id, base_url },
    fetched: null,
  };
}

interface Fetched {
  readonly name: string;
  readonly pull: string;
  readonly gguf: { readonly file: string; readonly url: string; readonly sha256: string | null } | null;
}

/** Fetches a model's file and has Parley run it; null for a model without a file. */
export function setupOfFile({ name, gguf }: Fetched): Setup | null {
  if (gguf === null) return null;
  const { url, sha256, file } = gguf;
  return {
    name,
    steps: ['server', 'download', 'start', 'choose', 'try'],
    choice: { runtime_id: 'local_server' },
    fetched: { request: sha256 === null ? { url } : { url, sha256 }, modelId: file },
  };
}

/** Starts the server that Parley runs, with a model that is here, after it was stopped or the machine was off. */
export const setupOfStart = (name: string): Setup => ({
  name,
  steps: ['start', 'try'],
  choice: { runtime_id: 'local_server' },
  fetched: null,
});

/** Has the Ollama at an address fetch a model. */
export function setupOfPull({ name, pull }: Fetched, base_url: string): Setup {
  return {
    name,
    // Only the runtime that plays fetches by name.
    steps: ['choose', 'download', 'try'],
    choice: { runtime_id: 'local_native', base_url, model_id: pull },
    fetched: { request: { pull }, modelId: pull },
  };
}

/** What the service is busy with. */
interface UnderWay {
  /** Models that are being fetched. */
  readonly fetching: readonly string[];
  /** The model that the server is being started with. */
  readonly starting: string | null;
  /** Address of the Ollama that plays; null when none does. */
  readonly ollama: string | null;
}

/** The setup that the service is in the middle of; null when it is in none. */
export function setupUnderWay(models: readonly Fetched[], { fetching, starting, ollama }: UnderWay): Setup | null {
  const filed = models.find(({ gguf }) => gguf !== null && [...fetching, starting].includes(gguf.file));
  if (filed !== undefined) return setupOfFile(filed);
  const pulled = ollama === null ? undefined : models.find(({ pull }) => fetching.includes(pull));
  return pulled === undefined || ollama === null ? null : setupOfPull(pulled, ollama);
}

/** What the setup calls. */
export interface SetupPorts {
  askServer(signal: AbortSignal): Promise<ModelServerState | null>;
  installServer(signal: AbortSignal): Promise<void>;
  listInstalls(signal: AbortSignal): Promise<readonly ModelInstall[]>;
  install(request: InstallModelRequest, signal: AbortSignal): Promise<ModelInstall>;
  askSidecar(signal: AbortSignal): Promise<Sidecar>;
  startSidecar(modelId: string | null, signal: AbortSignal): Promise<Sidecar>;
  stopSidecar(signal: AbortSignal): Promise<Sidecar>;
  choose(choice: RuntimeChoice, signal: AbortSignal): Promise<unknown>;
  tryLine(signal: AbortSignal): Promise<RuntimeTrial>;
  /** Between two looks. */
  pause(signal: AbortSignal): Promise<void>;
}

/** What a step tells beside its state. */
export interface StepDetail {
  readonly install?: ModelInstall;
  readonly line?: string;
  readonly trial?: RuntimeTrial;
  /** It was left to the person. */
  readonly skipped?: true;
}

export type Report = (step: StepName, state: StepState, detail?: StepDetail) => void;

/** A step that ended without its result; `message` is what the service says about it, if anything. */
export class StepError extends Error {
  constructor(
    readonly step: StepName,
    message: string,
  ) {
    super(message);
    this.name = 'StepError';
  }
}

const isOver = ({ status }: ModelInstall): boolean => ['installed', 'failed', 'cancelled'].includes(status);

/** Looks until there is something. */
async function poll<T>(ports: SetupPorts, signal: AbortSignal, look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await ports.pause(signal);
    signal.throwIfAborted();
  }
}

/** The install of the setup's model: one that is under way already, or a new one. */
async function beginInstall({ fetched }: Setup, ports: SetupPorts, signal: AbortSignal): Promise<ModelInstall | null> {
  if (fetched === null) return null;
  const known = await ports.listInstalls(signal);
  const running = known.find((one) => one.model_id === fetched.modelId && !isOver(one));
  // A file that is here already is recognised by its checksum and not fetched again.
  return running ?? ports.install(fetched.request, signal);
}

async function haveServer(ports: SetupPorts, report: Report, signal: AbortSignal): Promise<'done' | 'skipped'> {
  const state = await ports.askServer(signal);
  // Without an installer the start says what is missing.
  if (state === null) return 'skipped';
  if (state.command_found !== null) return 'done';
  if (state.installing === null) await ports.installServer(signal);
  await poll(ports, signal, async () => {
    const now = await ports.askServer(signal);
    if (now === null || now.command_found !== null) return true;
    if (now.installing === null) throw new StepError('server', now.message ?? '');
    report('server', 'running', now.installing.line === null ? {} : { line: now.installing.line });
    return null;
  });
  return 'done';
}

async function awaitInstall(
  begun: ModelInstall,
  ports: SetupPorts,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  await poll(ports, signal, async () => {
    const install = (await ports.listInstalls(signal)).find((one) => one.id === begun.id);
    if (install === undefined || install.status === 'cancelled') throw new StepError('download', '');
    report('download', 'running', { install });
    if (install.status === 'failed') throw new StepError('download', install.message ?? '');
    return install.status === 'installed' ? true : null;
  });
}

async function startServer(modelId: string | null, ports: SetupPorts, signal: AbortSignal): Promise<void> {
  const before = await ports.askSidecar(signal);
  const isUp = before.status === 'running' || before.status === 'starting';
  const isThisOne = isUp && (modelId === null || before.model_id === modelId);
  if (isUp && !isThisOne) await ports.stopSidecar(signal);
  if (!isThisOne) await ports.startSidecar(modelId, signal);
  await poll(ports, signal, async () => {
    const { status, last_exit: exit } = await ports.askSidecar(signal);
    if (status === 'failed' || status === 'stopped') throw new StepError('start', exit?.message ?? '');
    return status === 'running' ? true : null;
  });
}

/**
 * Carries a setup out, one step after the other; the download begins with the first, so that it is under way whatever
 * becomes of this page. Safe to begin again: what is there already is used.
 * @throws StepError, ApiError, or the signal's reason.
 */
export async function carryOut(setup: Setup, ports: SetupPorts, report: Report, signal: AbortSignal): Promise<void> {
  const canBeginNow = setup.steps.indexOf('choose') > setup.steps.indexOf('download');
  let install = canBeginNow ? beginInstall(setup, ports, signal) : null;
  // Its failure is that of its step, which may still be to come; what has begun can be cancelled from now on.
  install?.then(
    (begun) => begun !== null && report('download', 'waiting', { install: begun }),
    () => undefined,
  );
  const work: Record<StepName, () => Promise<StepDetail>> = {
    server: async () => {
      const end = await haveServer(ports, report, signal);
      return end === 'skipped' ? { skipped: true } : {};
    },
    download: async () => {
      install ??= beginInstall(setup, ports, signal);
      const begun = await install;
      if (begun !== null) await awaitInstall(begun, ports, report, signal);
      return {};
    },
    start: async () => {
      await startServer(setup.fetched?.modelId ?? null, ports, signal);
      return {};
    },
    choose: async () => {
      await ports.choose(setup.choice, signal);
      return {};
    },
    try: async () => ({ trial: await ports.tryLine(signal) }),
  };
  for (const step of setup.steps) {
    report(step, 'running');
    try {
      const detail = await work[step]();
      signal.throwIfAborted();
      report(step, detail.skipped === true ? 'skipped' : 'done', detail);
    } catch (error) {
      if (!signal.aborted) report(step, 'failed');
      throw error;
    }
  }
}
