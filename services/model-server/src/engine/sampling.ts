import type { EvaluateOptions, GrammarState, Token } from './llama-library';

/** Tokens that the penalty for repeating looks back. */
const PENALTY_TOKENS = 64;
const TOP_K = 40;
const MIN_P = 0.05;

/** What is asked of the model. */
export interface Wish {
  readonly prompt: readonly Token[];
  /** 0 only reads the prompt; null: until the model ends or the context is full. */
  readonly maxTokens: number | null;
  readonly temperature: number;
  readonly topP: number;
  /** 1: none. */
  readonly repeatPenalty: number;
  readonly seed: number;
  /** GBNF that the answer has to follow; null: any text. */
  readonly grammar: string | null;
}

/**
 * How the tokens of an answer are chosen.
 * @param generated What was said so far; grows while the answer is made.
 * @param grammar How far the answer has come within its grammar; null: any text.
 */
export function samplingOf(wish: Wish, generated: readonly Token[], grammar: GrammarState | null): EvaluateOptions {
  return {
    temperature: wish.temperature,
    topP: wish.topP,
    topK: TOP_K,
    minP: MIN_P,
    seed: wish.seed,
    ...(wish.repeatPenalty === 1
      ? {}
      : {
          repeatPenalty: {
            punishTokens: () => [...wish.prompt.slice(-PENALTY_TOKENS), ...generated].slice(-PENALTY_TOKENS),
            maxPunishTokens: PENALTY_TOKENS,
            penalty: wish.repeatPenalty,
          },
        }),
    ...(grammar === null ? {} : { grammarEvaluationState: grammar }),
  };
}
