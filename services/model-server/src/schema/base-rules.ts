/** A literal of GBNF. Everything but plain characters is written by its code point. */
export function literal(text: string): string {
  const escaped = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (code >= 0x20 && code < 0x7f) return character;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

/** Rules that every grammar may use. A string never holds a \u escape: UTF-8 says all of it, and half a pair cannot occur. */
export const BASE_RULES: Readonly<Record<string, string>> = {
  char: String.raw`[^"\\\x7F\x00-\x1F] | "\\" ["\\bfnrt]`,
  string: String.raw`"\"" char* "\""`,
  number: 'integer ("." [0-9]{1,15})?',
  integer: '"0" | "-"? [1-9] [0-9]{0,14}',
  boolean: '"true" | "false"',
  null: '"null"',
  value: 'object | array | string | number | boolean | null',
  member: 'string ":" value',
  object: '"{" (member ("," member)*)? "}"',
  array: '"[" (value ("," value)*)? "]"',
};
/** Which rules each of them uses. */
export const USED_RULES: Readonly<Record<string, readonly string[]>> = {
  string: ['char'],
  number: ['integer'],
  value: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  member: ['string', 'value'],
  object: ['member'],
  array: ['value'],
};
