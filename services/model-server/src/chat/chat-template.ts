import type { TemplateLibrary } from '../engine/llama-library';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A piece of a prompt: what a template wrote, or what somebody said. */
export interface PromptPiece {
  readonly text: string;
  readonly isContent: boolean;
}

/** The model's template cannot write these messages. */
export class TemplateError extends Error {
  constructor(cause: unknown) {
    super("The model's chat template cannot write this conversation.", { cause });
    this.name = 'TemplateError';
  }
}

/** For models that bring none. */
export const CHAT_ML =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Around a number: stands for a message while the template is written. Characters of private use, of which text has none. */
const MARK = /\u{F8FE}(\d+)\u{F8FF}/u;
const markOf = (index: number): string => `\u{F8FE}${index}\u{F8FF}`;

/**
 * Writes conversations in the form that the model was trained on. Messages stand in the template as marks and are put in
 * afterwards: what a person says can then never be taken for an end of the message or for the model's own words.
 */
export class ChatTemplate {
  readonly text: string;
  private readonly template: InstanceType<TemplateLibrary['Template']>;

  constructor(
    text: string | null,
    private readonly tokens: { readonly bosString: string | null; readonly eosString: string | null },
    { Template }: TemplateLibrary,
  ) {
    this.text = text ?? CHAT_ML;
    this.template = new Template(this.text);
  }

  /**
   * The prompt for the model's next answer.
   * @param more Values of the template's own, such as enable_thinking.
   * @throws TemplateError
   */
  render(messages: readonly ChatMessage[], more: Readonly<Record<string, unknown>>): PromptPiece[] {
    try {
      return this.pieces(messages, more);
    } catch {
      // Some templates know no system messages, or want user and assistant to take turns.
      try {
        return this.pieces(plainTurns(messages), more);
      } catch (cause) {
        throw new TemplateError(cause);
      }
    }
  }

  private pieces(messages: readonly ChatMessage[], more: Readonly<Record<string, unknown>>): PromptPiece[] {
    const marked = messages.map(({ role, content }, index) => ({ role, content: content === '' ? '' : markOf(index) }));
    const written = this.template.render({
      bos_token: this.tokens.bosString ?? '',
      eos_token: this.tokens.eosString ?? '',
      ...more,
      messages: marked,
      add_generation_prompt: true,
    });
    return written.split(MARK).flatMap((text, at): PromptPiece[] => {
      const isContent = at % 2 === 1;
      const piece = isContent ? (messages[Number(text)]?.content ?? '') : text;
      return piece === '' ? [] : [{ text: piece, isContent }];
    });
  }
}

/** The same conversation of user and assistant in turns: system messages go into the user's next one. */
function plainTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: { role: 'user' | 'assistant'; content: string }[] = [];
  for (const { role, content } of messages) {
    const speaker = role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === speaker) last.content += `\n\n${content}`;
    else if (turns.length === 0 && speaker === 'assistant')
      turns.push({ role: 'user', content: '…' }, { role: speaker, content });
    else turns.push({ role: speaker, content });
  }
  return turns;
}
