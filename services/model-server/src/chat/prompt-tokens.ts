import type { Model, Token } from '../engine/llama-library';
import type { PromptPiece } from './chat-template';

/** The tokens of a prompt, all of them. Only what the template wrote can be a special token. */
export function promptTokens(model: Pick<Model, 'tokenize' | 'tokens'>, pieces: readonly PromptPiece[]): Token[] {
  const tokens = pieces.flatMap(({ text, isContent }, at) =>
    model.tokenize(text, !isContent, at === 0 ? undefined : 'trimLeadingSpace'),
  );
  const { bos, shouldPrependBosToken } = model.tokens;
  return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
}
