/** A stretch of a line, in UTF-16 offsets into it; `start` is below `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A word, a number or a mark of a line. Contractions are taken apart (don't is do and not), so that every spelling reads
 * the same; where the parts do not stand in the text one by one (gonna, dont), each has the span of the whole word.
 */
export interface Token extends Span {
  /** In lower case and compatibility form, with a straight apostrophe. */
  readonly text: string;
  readonly kind: 'word' | 'number' | 'mark';
  /** Whether a blank stands before it. */
  readonly spaced: boolean;
  /** Whether a line break stands before it. */
  readonly newLine: boolean;
}

/** A word is the first group, a number the second; else it is a mark. */
const TOKEN =
  /(['’](?:[Cc]ause|[Cc]os|em|[Tt]il|[Bb]out)(?![\p{L}'’])|\p{L}[\p{L}\p{M}\p{Cf}]*(?:['’‘`´ʼ＇][\p{L}\p{M}]+)*)|(\p{Nd}{1,3}(?:[ \u00a0\u2009\u202f]\p{Nd}{3})+(?!\p{Nd})(?:[.,]\p{Nd}{1,2}(?!\p{Nd}))?|\p{Nd}+(?:[.,'’]\p{Nd}+)*)|([^\p{L}\p{Nd}\s])\3*/gu;

/** Contractions that do not follow the rules, and spellings of fast typists. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "can't": 'can not', "won't": 'will not', "shan't": 'shall not', "ain't": 'is not', cannot: 'can not',
  "let's": 'let us', "y'all": 'you all', "'cause": 'because', "ma'am": "ma'am", "o'clock": "o'clock",
  cant: 'can not', wont: 'will not', dont: 'do not', doesnt: 'does not', didnt: 'did not', isnt: 'is not',
  arent: 'are not', wasnt: 'was not', werent: 'were not', havent: 'have not', hasnt: 'has not', hadnt: 'had not',
  wouldnt: 'would not', couldnt: 'could not', shouldnt: 'should not', im: 'i am', ive: 'i have', youre: 'you are',
  youve: 'you have', youll: 'you will', youd: 'you would', theyre: 'they are', thats: 'that is', whats: 'what is',
  hows: 'how is', wheres: 'where is', theres: 'there is', heres: 'here is', weve: 'we have', theyve: 'they have',
  itll: 'it will', thatll: 'that will', ill: 'i will', id: 'i would',
  gonna: 'going to', wanna: 'want to', gotta: 'got to', kinda: 'kind of', sorta: 'sort of', dunno: 'do not know',
  lemme: 'let me', gimme: 'give me', cos: 'because', coz: 'because', cuz: 'because', u: 'you', ur: 'your',
  pls: 'please', plz: 'please', thx: 'thanks', thanx: 'thanks', tho: 'though', ok: 'okay', alright: 'all right',
  shouldve: 'should have', couldve: 'could have', wouldve: 'would have', mustve: 'must have', mightve: 'might have',
  sry: 'sorry', soz: 'sorry', srry: 'sorry', "'cos": 'because', "'em": 'them', "'til": 'until', "'bout": 'about', ya: 'you', yea: 'yeah', bc: 'because',
  shoulda: 'should have', coulda: 'could have', woulda: 'would have',
}; // prettier-ignore
const WRITTEN_OUT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(SPELLINGS).map(([word, parts]): [string, string[]] => [word, parts.split(' ')]),
);
const ENDINGS: Readonly<Record<string, string>> = {
  "'m": 'am',
  "'re": 'are',
  "'ve": 'have',
  "'ll": 'will',
  "'d": 'would',
};
/** Words after which 's is "is"; after others it says whose. */
const IS_AFTER = new Set(
  'it he she that this there here what who where how when why everything something nothing everyone everybody someone somebody one noone nobody'.split(
    ' ',
  ),
);

/** The written-out words of one as it was typed. */
function writtenOut(word: string): readonly string[] {
  const known = WRITTEN_OUT.get(word);
  if (known !== undefined) return known;
  const at = word.lastIndexOf("'");
  if (at <= 0) return [word];
  const ending = word.slice(at);
  const base = word.slice(0, at);
  if (ending === "'t" && base.endsWith('n')) return [base.slice(0, -1), 'not'];
  if (ending === "'s") return IS_AFTER.has(base) ? [base, 'is'] : [base];
  const rest = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
  // In wouldn't've the first part is a contraction again.
  return rest === undefined ? [word] : [...writtenOut(base), rest];
}

const BREAK = /[\n\r\u2028\u2029]/;
const PLAIN = /^[A-Za-z]+$/;

const folded = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .replace(/[’‘`´ʼ＇]/g, "'")
        .normalize('NFKC')
        .toLowerCase()
        .replace(/\p{Cf}/gu, '');

/**
 * Words, numbers and marks of a line in their order; time in proportion to it.
 * @param language contractions are those of English; other languages keep their words whole
 */
export function tokensOf(text: string, language: string): Token[] {
  const tokens: Token[] = [];
  let before = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [surface, word, number] = match;
    const start = match.index;
    const end = start + surface.length;
    const spaced = start > before;
    const newLine = spaced && BREAK.test(text.slice(before, start));
    before = end;
    if (word === undefined) {
      const kind = number === undefined ? 'mark' : 'number';
      tokens.push({ start, end, text: surface.normalize('NFKC'), kind, spaced, newLine });
      continue;
    }
    const lower = folded(word);
    if (language !== 'en') {
      tokens.push({ start, end, text: lower, kind: 'word', spaced, newLine });
      continue;
    }
    let isFirst = true;
    for (const part of writtenOut(lower)) {
      tokens.push({ start, end, text: part, kind: 'word', spaced: isFirst && spaced, newLine: isFirst && newLine });
      isFirst = false;
    }
  }
  return tokens;
}

/**
 * The tokens of a piece of a text as they are when the piece is read alone, taken from those of the whole text.
 * @returns null where a token reaches over an edge of the piece, which then reads otherwise
 */
export function tokensAlone(tokens: readonly Token[], { start, end }: Span): Token[] | null {
  const alone: Token[] = [];
  for (const token of tokens) {
    if (token.end <= start) continue;
    if (token.start >= end) break;
    if (token.start < start || token.end > end) return null;
    const isFirst = alone.length === 0;
    alone.push({
      ...token,
      start: token.start - start,
      end: token.end - start,
      spaced: !isFirst && token.spaced,
      newLine: !isFirst && token.newLine,
    });
  }
  return alone;
}
