import { ServiceError } from '@parley/shared/contracts';

/** Longest answer that is kept, in characters: far above any max_tokens, far below what a runaway server could send. */
const MAX_ANSWER_LENGTH = 4 * 1024 * 1024;

/** White space before an answer, in characters; after so much of it no thoughts are looked for any more. */
const MAX_BLANKS = 1024;

const OPENING = '<think>';
const CLOSING = '</think>';

/**
 * The text of an answer as it grows, without a block of reasoning at its beginning: servers that do not take the model's
 * thinking apart send it as `<think>…</think>` before the answer. Anywhere else these tags are text like any other.
 */
export class AnswerText {
  private text = '';
  private held = '';
  private state: 'start' | 'thinking' | 'after_thinking' | 'answer' = 'start';

  /** The whole text so far. */
  get whole(): string {
    return this.text;
  }

  /**
   * Takes a piece of the runtime's text and gives back what of it is answer, perhaps nothing.
   * @throws ServiceError RUNTIME_ERROR when the answer grows beyond MAX_ANSWER_LENGTH.
   */
  add(piece: string): string {
    const visible = this.state === 'answer' ? piece : this.withoutReasoning(piece);
    this.text += visible;
    if (this.text.length > MAX_ANSWER_LENGTH)
      throw new ServiceError(
        'RUNTIME_ERROR',
        'The model wrote far more than was asked for and was stopped; try again.',
      );
    return visible;
  }

  /** The runtime has said all: what was held back because it could have become a tag is answer. */
  end(): string {
    const rest = this.state === 'start' ? this.held : '';
    this.held = '';
    this.text += rest;
    return rest;
  }

  private withoutReasoning(piece: string): string {
    this.held += piece;
    if (this.state === 'start') {
      const begun = this.held.trimStart();
      if (OPENING.startsWith(begun) && begun.length < OPENING.length && this.held.length < MAX_BLANKS) return '';
      if (!begun.startsWith(OPENING)) return this.pass();
      this.state = 'thinking';
    }
    if (this.state === 'thinking') {
      const end = this.held.indexOf(CLOSING);
      if (end === -1) {
        // Only a tail that could be the beginning of the closing tag matters.
        this.held = this.held.slice(-CLOSING.length);
        return '';
      }
      this.held = this.held.slice(end + CLOSING.length);
      this.state = 'after_thinking';
    }
    this.held = this.held.trimStart();
    return this.held === '' ? '' : this.pass();
  }

  private pass(): string {
    const { held } = this;
    this.held = '';
    this.state = 'answer';
    return held;
  }
}
