import { isDeniedDirectly } from './denials';
import type { LineParts, StemAt, Stems } from './line-parts';
import { stemOf } from './stems';
import type { TokenRange } from './token-text';
import { tokensOf, type Token } from './tokens';

/** Words that join or point: a negation before them does not deny them. */
const NEVER_DENIED = new Set(
  'because since as so if when what who why how where which that this and or but i you we he she they it not no never always weil da wenn als ob dass wie was wer wo warum und oder aber ich du wir ihr er sie es nicht nie immer seit'.split(
    ' ',
  ),
);

/** A phrase with one of these is meant as it stands. */
const NEGATIONS = new Set('not nicht nie niemals kein keine keinen keinem keiner nichts ohne'.split(' '));

/** Marks that are read as words. */
const UNITS = /^[%£$€]$/;

/** Words that may stand inside of a phrase, beside those in -ly: I would (really) like. */
const INSERTED = new Set(
  'just also still very so sehr auch wirklich gern gerne mal ja doch halt eben echt ehrlich einfach total gerade schon noch ziemlich bitte jetzt'.split(
    ' ',
  ),
);
const mayBeInserted = (word: string): boolean =>
  INSERTED.has(word) || (word.endsWith('ly') && /^\p{L}{3,}$/u.test(word));

/** The stems of a text's words and numbers, in order. */
export function stemsOf(tokens: readonly Token[], language: string): Stems {
  const list: StemAt[] = [];
  const places = new Map<string, number[]>();
  tokens.forEach(({ kind, text }, at) => {
    if (kind === 'mark' && !UNITS.test(text)) return;
    const stem = stemOf(text, language);
    const known = places.get(stem);
    if (known === undefined) places.set(stem, [list.length]);
    else known.push(list.length);
    list.push({ stem, at, mayBeInserted: mayBeInserted(text) });
  });
  return { list, places };
}

/** An author's phrase, as it is looked for. */
interface Phrase {
  readonly stems: readonly string[];
  /** Whether a negation before it does not deny it: connectives, and phrases that hold their own. */
  readonly stands: boolean;
}

/** By language. */
const PHRASES = new Map<string, Map<string, Phrase>>();
const MOST_PHRASES = 5_000;

function phrasesOf(language: string): Map<string, Phrase> {
  const known = PHRASES.get(language);
  if (known !== undefined) return known;
  const made = new Map<string, Phrase>();
  PHRASES.set(language, made);
  return made;
}

/** Phrases of authors come again with each line, so that they are taken apart once. */
function phraseOf(kept: Map<string, Phrase>, phrase: string, language: string): Phrase {
  const known = kept.get(phrase);
  if (known !== undefined) return known;
  const tokens = tokensOf(phrase, language);
  const made = {
    stems: stemsOf(tokens, language).list.map(({ stem }) => stem),
    stands: tokens.some(({ text }) => NEGATIONS.has(text)) || tokens.every(({ text }) => NEVER_DENIED.has(text)),
  };
  if (kept.size >= MOST_PHRASES) kept.clear();
  kept.set(phrase, made);
  return made;
}

const MOST_INSERTED = 2;

/** Where in the stems a phrase that begins at `first` ends, or null when it is another one. */
function lastOfPhrase(list: readonly StemAt[], phrase: readonly string[], first: number): number | null {
  let index = first;
  let inserted = 0;
  for (let next = 1; next < phrase.length; next += 1) {
    const stem = phrase[next];
    index += 1;
    while (list[index] !== undefined && list[index]?.stem !== stem && inserted < MOST_INSERTED) {
      if (list[index]?.mayBeInserted !== true) return null;
      index += 1;
      inserted += 1;
    }
    if (list[index]?.stem !== stem) return null;
  }
  return index;
}

/** Whether a sentence ends between the words: "You did. She stopped." does not say "did she". */
const endsInside = ({ sentences }: LineParts, { from, to }: TokenRange): boolean =>
  sentences.some((sentence) => sentence.mark !== '' && sentence.to > from && sentence.to < to);

/**
 * Where a line says one of some words or phrases: whole words in any inflection, whatever case, apostrophes and hyphens.
 * Copied and quoted words of the other do not count, nor does what the player denies directly (I won't leave).
 */
export function phrasesIn(parts: LineParts, phrases: readonly string[]): TokenRange[] {
  const { language, copied, quoted } = parts;
  const { list, places } = parts.stems;
  const kept = phrasesOf(language);
  const found: TokenRange[] = [];
  for (const phrase of phrases) {
    const { stems, stands } = phraseOf(kept, phrase, language);
    const begins = places.get(stems[0] ?? '');
    if (begins === undefined) continue;
    for (const index of begins) {
      const last = lastOfPhrase(list, stems, index);
      if (last === null) continue;
      const range = { from: list[index]?.at ?? 0, to: (list[last]?.at ?? 0) + 1 };
      if (last > index && endsInside(parts, range)) continue;
      if (copied[range.from] || quoted[range.from] || (!stands && isDeniedDirectly(parts, range))) continue;
      found.push(range);
    }
  }
  return found;
}
