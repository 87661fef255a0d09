import { germanKind } from './german-questions';
import type { LineParts } from './line-parts';
import { holds, startsWith } from './question-patterns';
import type { Sentence } from './sentences';
import type { TokenRange } from './token-text';
import type { Token } from './tokens';

/** A question that the player asks. */
export interface Question extends TokenRange {
  /** Whether it cannot be answered with yes or no, a number or a time. */
  readonly open: boolean;
}

const AUX = '(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|have|has|had|may|might|must|need)';
const LEAD =
  '(?:(?:and|but|so|okay|well|right|now|then|also|or|hey|hi|oh|please|sorry|yes|no|yeah|honestly|look|sure|fine|first|tell me|can i ask|may i ask|could i ask|just) (?:, )?|\\S+ , ){0,3}';

/** Asks for a number, a time or a choice, whatever its first word. */
const NARROW = holds(
  `how (?:much|many|long|often|old|soon|far|big|late|early)|when ${AUX}|what (?:time|day|date|year|month|number|figure|percentage|percent|size|price|is the (?:date|time|price|number|deadline))|which (?:day|date|week|month|time|one)|since when`,
);
/** Proposals and requests that begin with a question word and can be answered with yes or no. */
const PROPOSAL = holds(
  '(?:how|what) about(?! you )|what if|why not|why do not (?:we|you|i)|how (?:would|does|is) (?:that|this|friday|monday) be',
);
/** Asks the other to tell. */
const INVITES = holds(
  [
    '(?:tell|show|help|walk|talk) me (?:more|a (?:bit|little) more|about|what|how|why|who|where|through|understand|see)',
    '(?:could|can|would|will) you (?:please )?(?:tell|explain|describe|show|say|walk|talk|help|give)(?: [^\\s.;:!?]+){0,7} (?:what|how|why|who|where)',
    '(?:could|can|would|will) you (?:please )?(?:tell|explain|describe|say|share|show|walk|talk|help|take) (?:me |us |a (?:bit|little) |some |more |through |about |to me )*(?:what|how|why|who|where|more|about|through|understand|your|the|that|this|which)',
    '(?:i would|i will|i am|i do|i want to|i would like to|i would love to|i am keen to|i am curious|i was|i have been)(?: (?:like|love|want|curious|interested|keen|really|just|trying|to|hear|know|understand|learn|wondering|wonder|find|out|see|in|about)){1,8} (?:what|how|why|who|where|about|more|your|which)',
    '(?:can|could|would|will|please) (?:you )?(?:please )?say (?:some |a (?:bit|little) )?more',
    'tell me (?:some |a (?:bit|little) )?more',
    'i (?:also |just |do |really )?wonder (?:what|how|why|who|where)',
    'would you mind (?:telling|explaining|saying|sharing|walking)',
    'do you (?:want|mind) (?:to )?(?:tell|telling|sharing|share|talking|talk|saying) .{0,20}(?:what|how|why|about|more)',
    '(?:do you (?:know|remember|see)|any idea|can you see|have you thought about|have you any idea) (?:what|how|why|who|where)',
  ].join('|'),
);
/** Looks like a question and wants no answer. */
const RHETORICAL = holds(
  [
    'what (?:is|the hell is|on earth is) wrong with you',
    'who do you think you are',
    'how dare you',
    'how could you',
    'how can you (?:be so|even|just)',
    'how hard (?:can|could|is) (?:it|that)(?: be)?',
    '(?:are|is) you kidding(?: me)?',
    'are you (?:serious|joking|insane|crazy|blind|deaf|stupid|mad)',
    'who cares',
    'what on earth',
    'what am i ,(?: \\S+){1,3}',
    'why (?:bother|should i (?:care|bother|even))',
    'what(?: the|ever)? (?:hell|heck|fuck)',
    'what is the point',
    'what do you expect',
    'do you even',
    'why can not you (?:just|ever|even|for once)',
    'why do you always',
    'why do you never',
    'why are you (?:so|always|such)',
    'how many times (?:do i|must i|have i)',
    'is that (?:so )?hard',
    'what kind of (?:a )?(?:person|manager|boss|friend|flatmate)',
    'who knows',
    'guess what',
    'you know what',
    'when will you (?:ever|finally)',
    'what were you thinking',
    'am i supposed to',
    'why do i even',
    'why should i',
    'what do i have to do ,? ?(?:beg|crawl|kneel|die)',
    'is that too much to ask',
    'what more do you want',
    'what else do you want',
    'what do you take me for',
    'who does that',
    'how is that fair',
    'what am i supposed to',
    'do i look like',
    'since when do you',
    '(?<=^ )(?:seriously|really)',
  ].join('|'),
);
/** A question of one or two words that is no more than a sound. */
const NOISE =
  /^ (?:(?:what|huh|eh|hm+|really|seriously|sorry|pardon|excuse me|oh|right|okay|yes|no|yeah|so|well|and|why|how so|you know|see|so what|fair enough|deal|agreed) )+$/u;
/** A greeting, or asking for what was just said again: the other is asked for nothing of their own. The whole sentence, with a name. */
const FORMULA = new RegExp(
  `^ (?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: [^\\s,]+){0,2} (?:, )?)?${LEAD}(?:how (?:are (?:you|things|we)(?: (?:doing|keeping|going))?|is it going|is everything|do you do)` +
    '|what (?:do you mean|did you (?:just )?say|was that)(?: again)?|how do you mean(?: that)?|say (?:that|it) again)' +
    '(?: (?:today|then|all|now|this (?:morning|afternoon|evening)|tonight|please|sorry)| , [^\\s,]+(?: [^\\s,]+)?){0,3} (?:, )?$',
  'u',
);
const TAG =
  /, (?:right|okay|yes|no|(?:is|are|was|were|do|does|did|will|would|can|could|should|have|has) (?:not )?(?:it|you|we|they|he|she|i|that)|(?:is|are|was|do|does|did|will|would|can|could|should|have|has) (?:it|you|we|they|he|she|i|that) not|you know|yeah|huh|eh) $/u;

const OPEN_START = startsWith(
  `${LEAD}(?:(?:in|at|for|with|from|to|on|about|by|of) )?(?:what|how|why|who|whom|whose|where|which)`,
);
/** What may stand between a question word and its verb, but no subject: "what I need is" asks nothing. */
const ASKED_THING =
  '(?!(?:i|you|we|he|she|it|they|that|this|the|my|your|if|a|about|to|matters|makes|stops|limits|worries|helps|bothers|keeps|gets|needs|happened|happens|counts|hurts|follows|is|was) )[^\\s,;:]+';
const OPEN_INVERTED = startsWith(
  `${LEAD}(?:(?:in|at|for|with|from|to|on|about|by|of) )?(?:what|how|why|who|whom|whose|where|which)(?: ${ASKED_THING}){0,3} ${AUX} (?:not )?\\S+`,
);
const OPEN_VERB = startsWith(
  `${LEAD}(?:what (?:happened|happens|makes|made|matters|stops|limits|worries|helps|bothers|keeps|gets|got|needs|comes)|who (?:decides|signs|needs|makes|gets|says|else|has|knows|pays|writes))`,
);
const INVITES_FIRST = startsWith(
  `${LEAD}(?:please )?(?:(?:explain|describe) (?:to me |for me )?(?:what|how|why|who|where|your|the|that)|say (?:some |a (?:bit|little) )?more)`,
);
/** Begins like a question and says something: how nice, what a mess, which is why, whatever you do. */
const NOT_ASKED = startsWith(
  `${LEAD}(?:how (?:nice|kind|sweet|lovely|sad|awful|funny|dare)|what an? |which (?:is|was|brings|means|makes|leaves)|who knows|who cares)`,
);
const CLOSED_INVERTED = startsWith(
  `${LEAD}(?:(?:is|are|am|was|were|can|could|will|would|shall|may|might) (?:not )?(?:i|you|we|he|she|it|they|that|this|there|these|those|the|my|your)|(?:do|have) (?:not )?(?:i|you|we|they)|(?:does|did|has) (?:not )?(?:i|you|we|he|she|it|they|this|that)) \\S+`,
);
const WHEN_START = startsWith(`${LEAD}(?:when|since when|by when|until when|till when) ${AUX}`);

const ASKED_LATER =
  / [,;:—–-] (?:and |but |so |then |or )?(?:(?:in|at|for|with|from|to|on|about|by|of) )?(?:what|how|why|who|where|which) /u;
const ASKED_BESIDE = new RegExp(` (?:and|but|so|or) (?:what|how|why|who|where|which) (?:else |exactly )?${AUX} `, 'u');

/** What kind of question a sentence of English is, or null. */
function englishKind(text: string, marked: boolean): 'open' | 'closed' | null {
  if (NOISE.test(text)) return marked ? 'closed' : null;
  if (FORMULA.test(text)) return 'closed';
  if (RHETORICAL.test(text)) return marked ? 'closed' : null;
  if ((INVITES.test(text) || INVITES_FIRST.test(text)) && !/ (?:not|never) (?:want|like|need) /.test(text))
    return NARROW.test(text) ? 'closed' : 'open';
  if (marked) {
    if (PROPOSAL.test(text) || NARROW.test(text) || TAG.test(text)) return 'closed';
    if (OPEN_START.test(text)) return 'open';
    // What is asked may come behind a first part: If you had a free hand, what would you do?
    return ASKED_LATER.test(text) || ASKED_BESIDE.test(text) ? 'open' : 'closed';
  }
  // Without a question mark only the order of words tells.
  if (NOT_ASKED.test(text)) return null;
  if (WHEN_START.test(text)) return 'closed';
  if (OPEN_INVERTED.test(text) || (OPEN_VERB.test(text) && !/ (?:is|are|was|were) /u.test(text)))
    return NARROW.test(text) || PROPOSAL.test(text) ? 'closed' : 'open';
  return CLOSED_INVERTED.test(text) ? 'closed' : null;
}

const LONGEST_QUESTION = 120;
const QUOTES = /^["“”„«»]/u;

/** A sentence without what it quotes, unless the quotation is all of it. */
function withoutQuotations(tokens: readonly Token[]): readonly Token[] {
  let inside = false;
  const rest = tokens.filter((token) => {
    const isQuote = token.kind === 'mark' && QUOTES.test(token.text);
    if (isQuote) inside = !inside;
    return !isQuote && !inside;
  });
  return !inside && rest.some((token) => token.kind === 'word') ? rest : tokens;
}

/**
 * The questions of a line, in the order of the text. Those that are copied, quoted as the other's or rhetorical (who do you
 * think you are?) are not open, nor
 * is a greeting (how are you?) or asking for what was just said again (what do you mean?). Beyond English and German only the mark tells, and no question is open.
 */
export function questionsIn(parts: LineParts): Question[] {
  const { tokens, sentences, language, copied } = parts;
  const { quoted } = parts;
  const questions: Question[] = [];
  for (const { from, to, mark } of sentences as readonly Sentence[]) {
    if (copied[from] || quoted[from] || (quoted[to - 2] ?? false)) continue;
    const marked = /[?？]/u.test(mark);
    const words = withoutQuotations(tokens.slice(from, Math.min(to, from + LONGEST_QUESTION))).filter(
      (token) => token.kind !== 'mark' || /^[,;:—–-]/.test(token.text),
    );
    const text = ` ${words.map((token) => token.text).join(' ')} `;
    const kind =
      words.length === 0
        ? null
        : language === 'en'
          ? englishKind(text, marked)
          : language === 'de'
            ? germanKind(text, marked)
            : marked
              ? 'closed'
              : null;
    if (kind !== null) questions.push({ from, to, open: kind === 'open' });
  }
  return questions;
}
