import { Tokenizer, TokenType } from '@streamparser/json';
import { MAX_UTTERANCE } from './npc-output-schema';
import { beginsAsSpeech } from './plain-speech';

export interface UtteranceStream {
  /** Takes the next piece of the model's answer; answers what became sayable by it, possibly nothing. Never throws. */
  push(chunk: string): string;
  /** The answer is complete: what was held back and is sayable after all. */
  end(): string;
  /** Whether the utterance is whole, though the answer may go on with its other members. */
  readonly isWhole: boolean;
}

type Mode = 'undecided' | 'thoughts' | 'json' | 'plain' | 'done';

/** Some servers leave a thinking model's thoughts in the text, before the answer. */
export const THOUGHTS_BEGIN = /^\s*<think(?:ing)?>/i;
export const THOUGHTS_END = /<\/think(?:ing)?>/i;
const MAYBE_THOUGHTS = /^<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g?)?)?)?)?)?)?)?)?$/i;
const LONGEST_END = '</thinking>'.length;

const FENCE = /^```[a-zA-Z]*\s*/;
const MAYBE_FENCE = /^`{1,2}$|^```[a-zA-Z]*\s*$/;
/** Nothing to say for so many characters: what comes is read when it is whole. */
const FAR_TOO_LONG = 4096;
/** Prose whose first sentence is longer is read when it is whole. */
const LONGEST_SENTENCE = 400;

/**
 * Decodes `npc_utterance` out of a model's JSON while it arrives: by key, wherever the member stands at the top level,
 * with escapes and surrogate pairs cut anywhere. A code fence around the JSON is passed over, and so are a thinking model's
 * thoughts. An answer that is clearly
 * no JSON (a runtime without schema) is passed through once its first sentence shows that it is speech, up to the first brace. What is answered, joined, is
 * always a prefix of the raw utterance and at most 1200 characters long.
 */
export function createUtteranceStream(): UtteranceStream {
  let mode: Mode = 'undecided';
  let held = '';
  let sentPoints = 0;
  let decodedLength = 0;
  let isSpeech = false;
  let isWhole = false;
  const decoder = memberDecoder('npc_utterance');

  const say = (text: string): string => {
    const points = [...text];
    const room = MAX_UTTERANCE - sentPoints;
    sentPoints += Math.min(points.length, room);
    if (points.length >= room) mode = 'done';
    return points.length > room ? points.slice(0, room).join('') : text;
  };

  /** Prose is said from the moment on at which it is clear that it is speech; what is not, is read when it is whole. */
  const plain = (text: string): string => {
    if (!isSpeech) {
      held += text;
      const begins = beginsAsSpeech(held);
      if (begins === 'no' || (begins === 'not_yet' && held.length > LONGEST_SENTENCE)) mode = 'done';
      if (begins !== 'yes') return '';
      isSpeech = true;
      text = held;
      held = '';
    }
    const brace = text.indexOf('{');
    let sayable = held + (brace < 0 ? text : text.slice(0, brace));
    held = '';
    // Half a surrogate pair waits for its other half.
    if (brace < 0 && /[\ud800-\udbff]$/.test(sayable)) {
      held = sayable.slice(-1);
      sayable = sayable.slice(0, -1);
    }
    const said = say(sayable);
    if (brace >= 0) mode = 'done';
    return said;
  };

  const json = (text: string): string => {
    const { decoded, finished, closed } = decoder(text);
    const said = say(decoded);
    if (closed && mode !== 'done') isWhole = true;
    decodedLength += text.length;
    // The decoder takes a long member up anew with each piece.
    if (finished || (sentPoints === 0 && decodedLength > FAR_TOO_LONG)) mode = 'done';
    return said;
  };

  const thoughts = (text: string): string => {
    held += text;
    const end = THOUGHTS_END.exec(held);
    if (!end) {
      held = held.slice(-LONGEST_END);
      return '';
    }
    held = held.slice(end.index + end[0].length);
    mode = 'undecided';
    return decide();
  };

  const decide = (): string => {
    const text = held.replace(/^[\s\ufeff]+/, '');
    if (text === '' || MAYBE_FENCE.test(text) || MAYBE_THOUGHTS.test(text)) {
      if (held.length > FAR_TOO_LONG) mode = 'done';
      return '';
    }
    if (THOUGHTS_BEGIN.test(text)) {
      mode = 'thoughts';
      return thoughts('');
    }
    const body = text.replace(FENCE, '');
    const whole = held;
    held = '';
    if (body.startsWith('{')) {
      mode = 'json';
      return json(body);
    }
    // A fence around something else, or an array or string: neither speech nor the object that was asked for.
    if (text.startsWith('```') || body.startsWith('[') || body.startsWith('"')) {
      mode = 'done';
      return '';
    }
    mode = 'plain';
    return plain(whole);
  };

  return {
    get isWhole() {
      return isWhole;
    },
    push(chunk) {
      if (mode === 'done' || chunk === '') return '';
      if (mode === 'json') return json(chunk);
      if (mode === 'plain') return plain(chunk);
      if (mode === 'thoughts') return thoughts(chunk);
      held += chunk;
      return decide();
    },
    end() {
      mode = 'done';
      return '';
    },
  };
}

/** Decodes one string member of the top-level object; answers what came since the last call. */
function memberDecoder(member: string): (chunk: string) => { decoded: string; finished: boolean; closed: boolean } {
  // Partial tokens are what makes it stream; the tokenizer takes care of escapes and pairs that are cut.
  const tokenizer = new Tokenizer({ emitPartialTokens: true });
  let depth = 0;
  let key: string | null = null;
  let expectsValue = false;
  let sent = 0;
  let fresh = '';
  let finished = false;
  let closed = false;

  tokenizer.onError = () => {
    finished = true;
  };
  tokenizer.onEnd = () => {
    finished = true;
  };
  tokenizer.onToken = ({ token, value, partial }) => {
    if (finished) return;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      if (depth === 1 && expectsValue && key === member) finished = true;
      depth += 1;
      expectsValue = false;
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      depth -= 1;
      if (depth <= 0) finished = true;
    } else if (depth === 1 && token === TokenType.COMMA) {
      key = null;
      expectsValue = false;
    } else if (depth === 1 && token === TokenType.COLON) {
      expectsValue = true;
    } else if (depth === 1 && token === TokenType.STRING && !expectsValue) {
      if (!partial) key = String(value);
    } else if (depth === 1 && expectsValue && key === member) {
      if (token !== TokenType.STRING) {
        finished = true;
        return;
      }
      const text = String(value);
      fresh += text.slice(sent);
      sent = text.length;
      if (!partial) closed = finished = true;
    }
  };

  return (chunk) => {
    fresh = '';
    try {
      if (!finished) tokenizer.write(chunk);
    } catch {
      finished = true;
    }
    return { decoded: fresh, finished, closed };
  };
}
