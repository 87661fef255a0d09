import path from 'node:path';
import { ChatTemplate, type ChatMessage } from '../chat/chat-template';
import { promptTokens } from '../chat/prompt-tokens';
import { cachedStretches, stretchTokens } from './cached-prefix';
import type { Context, Grammar, Llama, LlamaLibrary, Model, Sequence, TemplateLibrary, Token } from './llama-library';
import { samplingOf, type Wish } from './sampling';
import { Slots, type Slot } from './slots';
import { TextPieces } from './text-pieces';

/** Tokens of a prompt that are read at once: a caller who leaves frees the slot after so many. */
const PIECE_TOKENS = 128;
/** What the model computes at once: a piece of two talks. */
const BATCH_TOKENS = 2 * PIECE_TOKENS;
/** Context of one talk, in tokens, where none is set. */
const TALK_TOKENS = 8_192;
/** Grammars that are kept, since each turn of a scenario asks for the same. */
const KEPT_GRAMMARS = 32;
/** Architectures whose cached tokens may be moved: plain rotary positions, no sliding window. */
const MOVABLE: ReadonlySet<string> = new Set(['llama', 'qwen2', 'qwen3']);

/** The prompt has more tokens than a slot holds. */
export class PromptTooLongError extends Error {
  constructor(
    readonly promptTokens: number,
    readonly contextTokens: number,
  ) {
    super(`The prompt has ${promptTokens} tokens and a slot holds ${contextTokens}; shorten it or raise -c.`);
    this.name = 'PromptTooLongError';
  }
}

export interface Outcome {
  readonly finish: 'stop' | 'length';
  /** Prompt tokens that were in the slot already. */
  readonly cached: number;
  /** Prompt tokens that had to be read. */
  readonly read: number;
  readonly generated: number;
  /** Milliseconds. */
  readonly readMs: number;
  readonly generateMs: number;
}

export interface LoadOptions {
  readonly file: string;
  /** Tokens of all slots together. */
  readonly context: number | null;
  readonly slots: number;
  /** Talks beside those that are answered at once whose cache is kept. */
  readonly spare: number;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** What llama.cpp says, one line. */
  log(line: string): void;
}

/** A model in memory with its slots. */
export class LoadedModel {
  readonly name: string;
  readonly template: ChatTemplate;
  private readonly slots: Slots;
  private readonly mayMove: boolean;
  private readonly grammars = new Map<string, Promise<Grammar>>();

  private constructor(
    private readonly library: LlamaLibrary,
    templates: TemplateLibrary,
    private readonly llama: Llama,
    private readonly model: Model,
    private readonly context: Context,
    private readonly sequences: readonly Sequence[],
    readonly slotCount: number,
    readonly file: string,
  ) {
    this.name = path.basename(file);
    this.template = new ChatTemplate(
      model.fileInfo.metadata?.tokenizer?.chat_template ?? null,
      model.tokens,
      templates,
    );
    const { isRecurrent, swaSize } = model.fileInsights;
    this.mayMove = MOVABLE.has(model.architecture) && !isRecurrent && (swaSize ?? 0) === 0;
    this.slots = new Slots(sequences, slotCount, this.mayMove);
  }

  /** @throws whatever llama.cpp refuses the file or the memory with; the signal's reason. */
  static async load(library: LlamaLibrary, templates: TemplateLibrary, options: LoadOptions): Promise<LoadedModel> {
    const { slots, spare, threads, signal } = options;
    const llama = await library.getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'warn',
      maxThreads: threads,
      logger: (level, message) => options.log(`${level}: ${message.trim()}`),
    });
    // Whether it fits is judged before the start, by what is really free: the library counts the system's caches as used.
    const model = await llama.loadModel({
      modelPath: options.file,
      gpuLayers: 0,
      ignoreMemorySafetyChecks: true,
      loadSignal: signal,
    });
    const ofOneSlot =
      options.context === null ? Math.min(TALK_TOKENS, model.trainContextSize) : Math.floor(options.context / slots);
    const context = await model.createContext({
      sequences: slots + spare,
      contextSize: ofOneSlot,
      batchSize: BATCH_TOKENS,
      threads: { ideal: threads, min: threads },
      ignoreMemorySafetyChecks: true,
      failedCreationRemedy: false,
    });
    const sequences = Array.from({ length: slots + spare }, () => context.getSequence());
    return new LoadedModel(library, templates, llama, model, context, sequences, slots, options.file);
  }

  /** Tokens that a slot holds. */
  get slotTokens(): number {
    return this.sequences[0]?.contextSize ?? 0;
  }

  get trainedTokens(): number {
    return this.model.trainContextSize;
  }

  get bytes(): number {
    return this.model.size;
  }

  /**
   * The whole prompt for the model's next answer, in tokens.
   * @throws TemplateError; PromptTooLongError, since a prompt is never cut.
   */
  promptOf(messages: readonly ChatMessage[], more: Readonly<Record<string, unknown>>): Token[] {
    const prompt = promptTokens(this.model, this.template.render(messages, more));
    if (prompt.length >= this.slotTokens) throw new PromptTooLongError(prompt.length, this.slotTokens);
    return prompt;
  }

  /** Makes a grammar ready. @throws when llama.cpp does not take it. */
  prepareGrammar(grammar: string): Promise<Grammar> {
    const known = this.grammars.get(grammar);
    if (known !== undefined) return known;
    const made = this.llama.createGrammar({ grammar });
    this.grammars.set(grammar, made);
    made.catch(() => this.grammars.delete(grammar));
    const oldest = this.grammars.keys().next().value;
    if (this.grammars.size > KEPT_GRAMMARS && oldest !== undefined) this.grammars.delete(oldest);
    return made;
  }

  /**
   * Answers a prompt as soon as a slot is free.
   * @param onText Gets the answer piece by piece; what it returns is waited for.
   * @throws The signal's reason when the caller has left.
   */
  async answer(wish: Wish, signal: AbortSignal, onText: (text: string) => Promise<void> | void): Promise<Outcome> {
    const slot = await this.slots.take(wish.prompt, signal);
    try {
      return await this.answerIn(slot, wish, signal, onText);
    } catch (error) {
      // What is left of a failure is not trusted; a caller who has left leaves everything in order.
      if (!signal.aborted) await slot.sequence.clearHistory();
      throw error;
    } finally {
      slot.cached = slot.sequence.contextTokens;
      this.slots.giveBack(slot);
    }
  }

  /** Frees the memory. Nothing may be answered meanwhile or afterwards. */
  async unload(): Promise<void> {
    await this.context.dispose();
    await this.model.dispose();
    await this.llama.dispose();
  }

  private async answerIn(
    { sequence }: Slot,
    wish: Wish,
    signal: AbortSignal,
    onText: (text: string) => Promise<void> | void,
  ): Promise<Outcome> {
    const begun = performance.now();
    const cached = await this.keepCached(sequence, wish.prompt);
    let at = cached;
    for (; wish.prompt.length - at > PIECE_TOKENS; at += PIECE_TOKENS) {
      signal.throwIfAborted();
      await sequence.evaluateWithoutGeneratingNewTokens(wish.prompt.slice(at, at + PIECE_TOKENS));
    }
    signal.throwIfAborted();
    const rest = wish.prompt.slice(at);
    const outcome = (finish: Outcome['finish'], generated: number, readUntil: number): Outcome => ({
      finish,
      cached,
      read: wish.prompt.length - cached,
      generated,
      readMs: readUntil - begun,
      generateMs: performance.now() - readUntil,
    });
    if (wish.maxTokens === 0) {
      await sequence.evaluateWithoutGeneratingNewTokens(rest);
      return outcome('length', 0, performance.now());
    }
    const text = new TextPieces(this.model, wish.prompt);
    const tokens: Token[] = [];
    let firstAt = 0;
    let finish: Outcome['finish'] = 'stop';
    const { LlamaGrammarEvaluationState: GrammarState } = this.library;
    const state =
      wish.grammar === null
        ? null
        : new GrammarState({ model: this.model, grammar: await this.prepareGrammar(wish.grammar) });
    for await (const token of sequence.evaluate(rest, samplingOf(wish, tokens, state))) {
      if (tokens.length === 0) firstAt = performance.now();
      signal.throwIfAborted();
      tokens.push(token);
      const piece = text.add(token);
      if (piece !== '') await onText(piece);
      // The library would make room by dropping the beginning of the prompt.
      const isFull = wish.prompt.length + tokens.length >= this.slotTokens;
      if (isFull || tokens.length === wish.maxTokens) {
        finish = 'length';
        break;
      }
    }
    signal.throwIfAborted();
    const rested = text.rest();
    if (rested !== '') await onText(rested);
    return outcome(finish, tokens.length, firstAt === 0 ? performance.now() : firstAt);
  }

  /**
   * Leaves in a sequence what is the beginning of the prompt, all but its last token, from which the answer comes.
   * @returns How many tokens are left.
   */
  private async keepCached(sequence: Sequence, prompt: readonly Token[]): Promise<number> {
    const cached = sequence.contextTokens;
    const stretches = cachedStretches(cached, prompt.slice(0, -1), this.mayMove);
    if (stretches.length === 1) await sequence.adaptStateToTokens(prompt.slice(0, stretchTokens(stretches)), false);
    else {
      const ranges: { start: number; end: number }[] = [];
      let end = 0;
      for (const { from, length } of stretches) {
        if (from > end) ranges.push({ start: end, end: from });
        end = from + length;
      }
      if (end < cached.length) ranges.push({ start: end, end: cached.length });
      await sequence.eraseContextTokenRanges(ranges);
    }
    return sequence.nextTokenIndex;
  }
}
