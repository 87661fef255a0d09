import { jsonrepair } from 'jsonrepair';

export type JsonObject = Record<string, unknown>;

/**
 * What is given to the repair library at most: twice what an answer or a debrief takes, and more quotation marks than they
 * have. The library goes back to the beginning of a string for every mark that does not end it, so that 4,000 characters
 * with 2,000 marks cost it a second.
 */
const MAX_REPAIRED_LENGTH = 8_192;
const MAX_REPAIRED_QUOTES = 300;
const QUOTES = /["'`´‘’“”]/g;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text as one JSON object, or null. */
export function strictObjectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Objects that stand whole inside other text (a fence, prose before and after, one object after another), in their
 * order. One pass over the text: braces inside strings do not count.
 */
export function* embeddedObjects(text: string): Generator<JsonObject> {
  let depth = 0;
  let start = -1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (depth > 0 && character === '"') {
      inString = true;
    } else if (character === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) {
        const object = strictObjectIn(text.slice(start, index + 1));
        if (object) yield object;
      }
    }
  }
}

/** The object that begins at the first brace, made whole by the repair library; null when it cannot be, or not in time. */
export function repairedObject(text: string): JsonObject | null {
  const start = text.indexOf('{');
  if (start < 0) return null;
  // An escape that was cut is dropped: the library would refuse the whole text for it.
  const body = withoutClosingFence(text.slice(start, start + MAX_REPAIRED_LENGTH)).replace(
    /(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/,
    '$1',
  );
  if ((body.match(QUOTES)?.length ?? 0) > MAX_REPAIRED_QUOTES) return null;
  try {
    const value: unknown = JSON.parse(jsonrepair(endsInString(body) ? `${body}"` : body));
    if (isObject(value)) return value;
    // Several objects after each other come back as a list.
    return Array.isArray(value) ? (value.find(isObject) ?? null) : null;
  } catch {
    return null;
  }
}

function withoutClosingFence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith('```') ? trimmed.slice(0, -3).trimEnd() : text;
}

/** Whether a text was cut inside a string: the string is closed here, since the library would guess an earlier end. */
function endsInString(body: string): boolean {
  let inString = false;
  for (let index = 0; index < body.length; index += 1) {
    const character = body[index];
    if (character === '"') inString = !inString;
    else if (inString && character === '\\') index += 1;
  }
  return inString;
}
