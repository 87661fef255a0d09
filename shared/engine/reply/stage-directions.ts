/** A group in asterisks, underscores, round or square brackets, on one line and not long. */
const GROUPS =
  /(?<![\p{L}\p{N}*_])(\*{1,2}|_)(?=\S)([^*_\n]{1,160}?)(?<=\S)\1(?![\p{L}\p{N}*_])|\(([^()\n]{1,160})\)|\[([^[\]\n]{1,160})\]/gu;

/** Words that begin speech although they end like a verb of the third person. */
const NO_VERBS = new Set([
  'this', 'his', 'yes', 'is', 'was', 'has', 'does', 'as', 'us', 'its', "it's", "that's", "what's", "let's", "here's",
  "there's", 'always', 'sometimes', 'perhaps', 'plus', 'less', 'unless', 'thanks', 'sales', 'costs', 'thus', 'besides',
  'days', 'weeks', 'months', 'years', 'hours', 'minutes', 'numbers', 'things', 'results', 'news', 'ours', 'yours', 'hers',
]); // prettier-ignore
const NOUNS =
  /^(?:(?:a|an|the|another|one)? ?(?:short|long|small|brief|awkward|heavy|tired|deep|dry|quiet|little)? ?(?:pause|beat|silence|sigh|smile|laugh|nod|shrug|groan|chuckle|frown|glance|laughter|breath|grin|yawn))\b/i;
const MANNER =
  /^(?:quietly|softly|slowly|gently|coldly|warmly|dryly|calmly|firmly|tiredly|sarcastically|nervously|hesitantly|under (?:his|her|their) breath|in a \w+ (?:voice|tone)|voice \w+|still \w+ing|with an? (?:\w+ ){0,2}(?:smile|sigh|look|laugh|shrug))\b/i;

/**
 * Whether a group says what the character does and not what it says: `sighs`, `leaning back`, `Dana looks away`. A word
 * in marks of emphasis, a remark in brackets and a whole sentence are speech.
 */
function isDirection(inner: string, names: readonly string[]): boolean {
  const text = inner.trim();
  const [first = '', second = ''] = text.toLowerCase().split(/\s+/);
  const word = first.replace(/[^\p{L}']/gu, '');
  if (NOUNS.test(text) || MANNER.test(text)) return true;
  if (names.includes(word) || ((word === 'she' || word === 'he') && /s\b/.test(second))) return true;
  if (/\b(?:i|you|we|i'm|you're|my|your)\b/i.test(text) || /\d/.test(text)) return false;
  if (/^\p{L}{3,}s$/u.test(word)) return !NO_VERBS.has(word);
  return (
    /^\p{L}{3,}ing$/u.test(word) &&
    !['nothing', 'something', 'anything', 'everything', 'during', 'morning'].includes(word)
  );
}

/**
 * The text without what the character does between its words; marks of emphasis go, what they emphasise stays.
 * @param name the character's name, which a direction may begin with.
 */
export function withoutStageDirections(text: string, name: string): { text: string; found: boolean } {
  if (!/[*_([]/.test(text)) return { text, found: false };
  const names = [...new Set(name.toLowerCase().split(/\s+/))];
  let found = false;
  const spoken = text.replace(GROUPS, (group, _mark: string, emphasised?: string, round?: string, square?: string) => {
    const inner = emphasised ?? round ?? square ?? '';
    if (isDirection(inner, names)) {
      found = true;
      return ' ';
    }
    return emphasised ?? group;
  });
  if (spoken === text) return { text, found };
  const tidy = spoken
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/(?<![ \t])[ \t](?=[,.;:!?…\n])/g, '')
    .trim();
  return { text: tidy, found };
}
