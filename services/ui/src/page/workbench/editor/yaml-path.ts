/**
 * Where a place in a YAML text is, as the path of its members: `moves`, `[]`, `signs`. Read from indentation alone, so that it
 * also works on a line that is half typed.
 */
export interface YamlPlace {
  /** Members around the place, the outermost first; `[]` stands for the items of a list. */
  readonly around: readonly string[];
  /** The member whose value is being written; null where a member's name is. */
  readonly key: string | null;
  /** The word before the place. */
  readonly word: string;
}

interface Line {
  /** Columns of the dashes of list items. */
  readonly dashes: readonly number[];
  readonly key: string | null;
  /** Column of the key, or of what stands in its place. */
  readonly column: number;
  readonly value: string;
}

const KEY = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#&*!|>%@`{}[\],:][^:#{}[\],]{0,199}?))\s*:(?=\s|$)/;
const IN_WORD = /[\w./-]/;

/** @returns null for a line that says nothing: empty, or a comment. */
export function readLine(text: string): Line | null {
  let column = text.length - text.trimStart().length;
  if (text.trim() === '' || text[column] === '#') return null;
  const dashes: number[] = [];
  while (text[column] === '-' && /\s|^$/.test(text[column + 1] ?? '')) {
    dashes.push(column);
    column += 1;
    while (text[column] === ' ') column += 1;
  }
  const found = KEY.exec(text.slice(column));
  const key = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return { dashes, key, column, value: text.slice(column + (found?.[0].length ?? 0)).trim() };
}

/** The members around `column` in the lines before `index`, and in the dashes of that line itself. */
function membersAround(lines: readonly string[], index: number, column: number): string[] {
  const around: string[] = [];
  let limit = column;
  let inList = false;
  const takeDashes = (dashes: readonly number[]): void => {
    for (const dash of [...dashes].reverse()) {
      if (dash >= limit) continue;
      around.unshift('[]');
      limit = dash;
      inList = true;
    }
  };
  takeDashes(readLine(lines[index] ?? '')?.dashes ?? []);
  for (let at = index - 1; at >= 0 && (limit > 0 || inList); at -= 1) {
    const line = readLine(lines[at] ?? '');
    if (line === null) continue;
    // The items of a list may stand as far left as its name.
    const holds = line.column < limit || (inList && line.column === limit);
    if (line.key !== null && holds && line.value === '') {
      around.unshift(line.key);
      limit = line.column;
      inList = false;
    }
    takeDashes(line.dashes);
  }
  return around;
}

/** The members that are open in { } and [ ] at the end of a text, and the one whose value stands there. */
function openInFlow(text: string): { readonly open: string[]; readonly key: string | null } | null {
  const stack: { around: string[]; isList: boolean; begin: number }[] = [];
  let key: string | null = null;
  let quote = '';
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{' || sign === '[') {
      stack.push({
        around: [...(key === null ? [] : [key]), ...(sign === '[' ? ['[]'] : [])],
        isList: sign === '[',
        begin,
      });
      key = null;
      begin = at + 1;
    } else if (sign === '}' || sign === ']') {
      stack.pop();
      key = null;
      begin = at + 1;
    } else if (sign === ',') {
      key = null;
      begin = at + 1;
    } else if (sign === ':' && /\s|^$/.test(text[at + 1] ?? '')) {
      key = text
        .slice(begin, at)
        .replace(/^[\s-]+|["']/g, '')
        .trim();
      begin = at + 1;
    }
  }
  if (stack.length === 0) return null;
  return { open: stack.flatMap((one) => one.around), key };
}

/** The word at the end of a text. */
function wordAtEnd(text: string): string {
  let from = text.length;
  while (from > 0 && IN_WORD.test(text[from - 1] ?? '')) from -= 1;
  return text.slice(from);
}

/** Where the end of `before` is; `before` is the text up to the cursor. */
export function placeAt(before: string): YamlPlace {
  const lines = before.split('\n');
  const index = lines.length - 1;
  const text = lines[index] ?? '';
  const word = wordAtEnd(text);
  const line = readLine(text) ?? { dashes: [], key: null, column: text.length, value: '' };
  const around = membersAround(lines, index, line.column);
  const flow = openInFlow(text);
  if (flow !== null) return { around: [...around, ...flow.open], key: flow.key, word };
  return { around, key: line.key, word };
}
