import { UsageError } from '../command-line';

/**
 * What is used of node-llama-cpp, by its public names. Its own types are not: the package is there only when somebody has
 * installed it, and everything else has to compile without.
 */
export type Token = number;

/** How far an answer has come within a grammar; made for one answer. */
export type GrammarState = object;

export interface Sequence {
  /** Tokens that it holds, whose meaning for the model need not be computed again. */
  readonly contextTokens: Token[];
  readonly nextTokenIndex: number;
  readonly contextSize: number;
  adaptStateToTokens(tokens: Token[], allowShift: boolean): Promise<void>;
  eraseContextTokenRanges(ranges: { start: number; end: number }[]): Promise<void>;
  clearHistory(): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>;
  evaluate(tokens: Token[], options: EvaluateOptions): AsyncGenerator<Token, void, void>;
}

export interface EvaluateOptions {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly seed: number;
  readonly repeatPenalty?: { punishTokens: () => Token[]; maxPunishTokens: number; penalty: number };
  readonly grammarEvaluationState?: GrammarState;
}

export interface Context {
  getSequence(): Sequence;
  dispose(): Promise<void>;
}

export interface Model {
  readonly filename?: string;
  readonly size: number;
  readonly trainContextSize: number;
  readonly architecture: string;
  readonly fileInfo: { readonly metadata?: { readonly tokenizer?: { readonly chat_template?: string } } };
  readonly fileInsights: { readonly isRecurrent: boolean; readonly swaSize?: number };
  readonly tokens: {
    readonly bos: Token | null;
    readonly bosString: string | null;
    readonly eosString: string | null;
    readonly shouldPrependBosToken: boolean;
  };
  tokenize(text: string, specialTokens: boolean, options?: 'trimLeadingSpace'): Token[];
  detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens: readonly Token[]): string;
  createContext(options: {
    sequences: number;
    contextSize: number;
    batchSize: number;
    threads: { ideal: number; min: number };
    ignoreMemorySafetyChecks: boolean;
    failedCreationRemedy: false;
  }): Promise<Context>;
  dispose(): Promise<void>;
}

export interface Grammar {
  readonly grammar: string;
}

export interface Llama {
  loadModel(options: {
    modelPath: string;
    gpuLayers: 0;
    ignoreMemorySafetyChecks: boolean;
    loadSignal: AbortSignal;
  }): Promise<Model>;
  createGrammar(options: { grammar: string }): Promise<Grammar>;
  dispose(): Promise<void>;
}

export interface LlamaLibrary {
  getLlama(options: {
    gpu: false;
    build: 'never';
    skipDownload: true;
    progressLogs: false;
    logLevel: 'warn';
    maxThreads: number;
    logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readonly LlamaGrammarEvaluationState: new (options: { model: Model; grammar: Grammar }) => GrammarState;
}

/** The template language of chat templates. */
export interface TemplateLibrary {
  readonly Template: new (text: string) => { render(values: Record<string, unknown>): string };
}

/** Names that the compiler must not look up. */
const LLAMA: string = 'node-llama-cpp';
const TEMPLATES: string = '@huggingface/jinja';

async function load<L>(name: string): Promise<L> {
  try {
    return (await import(name)) as L;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError(
      'The packages of the model server are not installed; install it on the page "Connect a model", or run "npm ci --prefix services/model-server --ignore-scripts".',
    );
  }
}

/** @throws UsageError when it is not installed. */
export const loadLlamaLibrary = (): Promise<LlamaLibrary> => load(LLAMA);
/** @throws UsageError when it is not installed. */
export const loadTemplateLibrary = (): Promise<TemplateLibrary> => load(TEMPLATES);
