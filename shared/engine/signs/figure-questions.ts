import { sentenceAt, type LineParts } from './line-parts';
import { tokensOf } from './tokens';
import { writtenNumbers, type Written } from './written-numbers';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** With one of these a question proposes the figure that it names. */
const PROPOSES = words(
  'could can would will might may shall should about if possible consider open chance way manage agree doable realistic fair reasonable okay work works happy könnte könnten würde würden kann können wäre möglich',
);
const ASKS_FOR_FACTS = words('why where how who when what which whose warum wieso woher wo wie wer wann was');
const ASKS_YES_OR_NO = words('did do does was is are were has have had ist war hat haben sind');
/** Questions that tell: did you know that stock-outs fell from 31 to 9? */
const TELLS = words('know see notice remember realise realize seen noticed heard hear wissen gesehen');
const OWN_WISH = words('i we my me our want need ask asking like ich wir');

const LONGEST_COMPARED = 4_000;

/**
 * Whether a question only asks about a figure (why 53,000?, is it true that it pays 53,000?) and does not propose it (could
 * we say 53,000?).
 * @param asked the figure
 */
export function isOnlyAskedAbout(parts: LineParts, asked: Written): boolean {
  const { tokens, context, language } = parts;
  const sentence = sentenceAt(parts, asked.from);
  if (sentence === undefined || !sentence.mark.includes('?')) return false;
  // A statement with a question behind it: I'd like 53,000, is that possible?
  let from = sentence.from;
  for (let index = sentence.from; index < asked.from; index += 1)
    if (/^[,;:—–]/.test(tokens[index]?.text ?? '') && tokens[index]?.kind === 'mark') from = index + 1;
  const before = tokens
    .slice(from, asked.from)
    .filter((token) => token.kind === 'word')
    .map((token) => token.text);
  const behind = tokens
    .slice(asked.to, sentence.to)
    .filter((token) => token.kind === 'word')
    .map((token) => token.text);
  const [first = '', second = ''] = before;
  if (before.length === 0 && behind.length === 0) {
    // The figure alone: an echo where the other has just named it.
    const theirs = writtenNumbers(tokensOf((context.lastNpcLine ?? '').slice(0, LONGEST_COMPARED), language), language);
    return theirs.some(({ value }) => value === asked.value);
  }
  if (/^(?:what|how)$/.test(first) && /^(?:about|if)$/.test(second)) return false;
  if (first === 'why' && second === 'not') return false;
  if (first === 'why' && second === 'do' && before[2] === 'not') return false;
  if (ASKS_FOR_FACTS.has(first)) return true;
  if (!ASKS_YES_OR_NO.has(first)) return false;
  if ([...before, ...behind].some((word) => PROPOSES.has(word))) return false;
  if (before.slice(1, 5).some((word) => TELLS.has(word))) return false;
  return !before.slice(1, 4).some((word) => OWN_WISH.has(word)) || /^(?:did|was|were|had)$/.test(first);
}
