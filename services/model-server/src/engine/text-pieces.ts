import type { Model, Token } from './llama-library';

/** What a character that is not complete yet looks like. */
const INCOMPLETE = '\uFFFD';
/** A character has at most four bytes, and a token at least one. */
const MOST_PENDING = 4;
/** Tokens that decide whether a space stands before the next. */
const REMEMBERED = 8;

/** Turns tokens into text as they come; holds back what ends in half a character. */
export class TextPieces {
  private pending: Token[] = [];
  private last: Token[];

  constructor(
    private readonly model: Pick<Model, 'detokenize'>,
    prompt: readonly Token[],
  ) {
    this.last = prompt.slice(-REMEMBERED);
  }

  /** The text that the token completes, perhaps none. */
  add(token: Token): string {
    this.pending.push(token);
    const text = this.model.detokenize(this.pending, false, this.last);
    if (text.endsWith(INCOMPLETE) && this.pending.length < MOST_PENDING) return '';
    this.last = [...this.last, ...this.pending].slice(-REMEMBERED);
    this.pending = [];
    return text;
  }

  /** What was held back, without half a character at its end. */
  rest(): string {
    const text = this.pending.length === 0 ? '' : this.model.detokenize(this.pending, false, this.last);
    this.pending = [];
    return text.replace(/\uFFFD$/, '');
  }
}
