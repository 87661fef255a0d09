import type { CheckVerdict } from '@parley/shared/contracts';
import { stemOf } from '../../signs/stems';
import { CONTENTLESS } from '../../signs/contentless-words';
import { createGuard } from '../guardrails';
import { quotationsIn } from '../quotations';
import {
  LAW,
  MACHINE_TEXT,
  OUTCOME_CLAIM,
  PROMISE,
  REPORTS,
  SCORE_WORDS,
  SUGGESTS,
  THERAPY,
  VERDICT_ON_PERSON,
} from './guard-rules';
import type { LetterInput } from './letter-input';

/** Why a sentence may not stand in the letter. */
export type LetterFault =
  | 'language'
  | 'machine_text'
  | 'person'
  | 'law'
  | 'therapy'
  | 'promise'
  | 'score'
  | 'number'
  | 'line'
  | 'quotation'
  | 'outcome'
  | 'contradiction'
  | 'clinical'
  | 'guarantee'
  | 'unknown_turn';

export interface LetterFacts extends LetterInput {
  /** Language of the letter. */
  readonly language: string;
  readonly overall_score: number;
  /** Lines of the author that may be quoted as something to say. */
  readonly better: readonly string[];
}

/** Longest sentence that is looked at; a longer one is no sentence. */
const LONGEST = 600;

const FOREIGN: Readonly<Record<string, RegExp>> = {
  de: /\b(?:und|nicht|das|ist|sie|wir|ein|eine|der|die|mit|für|auf|haben|war|auch|dass|oder|beim|zu|ihre|ihr|du|dein)\b/gi,
  fr: /\b(?:le|la|les|vous|votre|est|pas|une|des|avec|pour|dans|que|qui|avez|être|cette|très|bien|et)\b/gi,
  es: /\b(?:el|los|las|usted|tu|es|una|con|para|que|muy|pero|está|fue|bien|cuando|porque|del|y)\b/gi,
  it: /\b(?:il|gli|che|non|una|con|per|molto|sei|hai|della|questo|bene|quando|perché|è)\b/gi,
  nl: /\b(?:het|een|niet|maar|ook|zijn|je|jouw|goed|voor|dat|deze|heeft|wel|en)\b/gi,
  pt: /\b(?:você|não|uma|com|para|que|muito|mas|foi|bem|quando|seu|sua|os|e)\b/gi,
};
const ENGLISH =
  /\b(?:the|you|your|and|a|an|to|of|in|is|was|it|that|this|what|with|for|on|at|as|not|by|her|his|she|he|say|ask|try|before|after|line|one|then|when|be|had|have|did)\b/gi;

/** Whether a sentence is in English: words of it, and not more of another language's. */
function isEnglish(sentence: string): boolean {
  if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(sentence)) return false;
  const count = (words: RegExp): number => sentence.match(words)?.length ?? 0;
  const own = count(ENGLISH);
  const words = sentence.match(/\p{L}+/gu)?.length ?? 0;
  const other = Math.max(...Object.values(FOREIGN).map(count));
  return (
    other <= own && (words < 6 || own > 0) && !(other >= 2 && other * 2 > own && /[äöüßéèêçñãõ¿¡]/i.test(sentence))
  );
}

const numbersIn = (text: string): string[] =>
  [...text.matchAll(/\d(?:[\d.,\u00a0\u202f ]*\d)?/g)].map(([one]) => one.replace(/\D/g, ''));

const WORD = /\p{L}[\p{L}'’-]*/gu;

/** The words of a text that say something of the matter, reduced to their stems. */
function contentOf(text: string): Set<string> {
  const words = text.toLowerCase().match(WORD) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !CONTENTLESS.has(word)).map((word) => stemOf(word, 'en')));
}

/** How much of `of` stands in `in_`, from 0 to 1. */
function overlap(of: ReadonlySet<string>, in_: ReadonlySet<string>): number {
  if (of.size === 0) return 0;
  let shared = 0;
  for (const stem of of) if (in_.has(stem)) shared += 1;
  return shared / of.size;
}

const DENIES =
  /\b(?:never|not|no|didn't|did not|wasn't|was not|weren't|without|failed to|missing|missed|forgot|absent|nothing|neither|nor|hardly|too late|lacked|instead of|didn’t|wasn’t|skipped|avoided|left out)\b/i;
/** A claim about what was done, and not what to do next. */
const CLAIMS =
  /\b(?:you|your line|your lines|line \d+|it) (?:\w+ ){0,3}?(?:\w+ed|went|kept|left|sent|spent|lost|built|felt|meant|was|were|did|had|gave|said|made|took|went|found|led|put|held|came|began|stood|spoke|told|got|let|kept|brought|never|missed|lacked)\b/i;
const ADVISES =
  /^(?:next time|try|say|ask|begin|start|open|name|give|tie|let|keep|offer|fix|pin|take|put|tell|use|make|find|hold|wait|leave|write|add|go|come|repeat|before|after|instead|when|if)\b|\b(?:next time|could|can|would|should|might|try to|aim to|aim for|to work on|would have)\b/i;

interface Claim {
  readonly verdict: CheckVerdict;
  readonly content: ReadonlySet<string>;
  /** Whether it stood in the talk: a check that was met, a fault that happened. */
  readonly happened: boolean;
}

const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'sir', 'madam']);

/** Replaces the character's name, whole or in parts, by a pronoun, so that one rule holds for every character. */
function pronounForName(displayName: string): (text: string) => string {
  const parts = displayName
    .split(/\s+/)
    .filter((part) => part.length > 1 && !TITLES.has(part.toLowerCase().replace('.', '')));
  const names = [displayName, ...parts].filter((name) => name !== '');
  return (text) => names.reduce((kept, name) => kept.replaceAll(name, 'they'), text);
}

/**
 * Checks the model's sentences against the letter that code wrote. What fails is replaced by ours, so a good sentence lost
 * costs little, and a false one that passes costs the learner's trust: where a rule is in doubt it refuses.
 *
 * Only English is checked by its words; in other languages no sentence of a model passes.
 */
export function createLetterGuard(facts: LetterFacts): (sentence: string) => LetterFault | null {
  const { content, turns, dimensions, language } = facts;
  const guard = createGuard({ content, turns });
  const nameless = pronounForName(content.npc.display_name);
  const lines = turns.filter(({ role }) => role === 'player').length;
  const material = [
    ...turns.map(({ text }) => text ?? ''),
    content.player_role.brief,
    ...content.goals.player_visible,
    ...content.rubric.dimensions.flatMap(({ description, checks, faults }) => [
      description,
      ...[...checks, ...faults].map(({ text }) => text),
    ]),
    ...facts.better,
    content.title,
  ].join('\n');
  const numbers = new Set(numbersIn(material));
  const scores = new Set(
    [facts.overall_score, ...dimensions.filter((one) => one.observed).map(({ score }) => score)].map(String),
  );
  const spoken = turns.map(({ text }) => text ?? '').join('\n');
  const offered = facts.better.map((line) => contentOf(line));
  const claims: Claim[] = dimensions.flatMap(({ checks = [], faults = [] }) => [
    ...checks
      .filter(({ verdict }) => verdict !== 'not_judged')
      .map((verdict) => ({ verdict, content: contentOf(verdict.text), happened: verdict.verdict === 'met' })),
    ...faults.map((verdict) => ({ verdict, content: contentOf(verdict.text), happened: verdict.verdict === 'met' })),
  ]);

  function quotationFault(sentence: string): boolean {
    return quotationsIn(sentence).some((quotation) => {
      if (quotation.trim().split(/\s+/).length < 2 || spoken.toLowerCase().includes(quotation.trim().toLowerCase()))
        return false;
      const before = sentence.slice(0, Math.max(0, sentence.indexOf(quotation) - 1));
      if (REPORTS.test(nameless(before))) return true;
      // A better line, ours or reworded, is nobody's quotation when it is offered as something to say.
      const isOffered =
        SUGGESTS.test(before) ||
        /^["“'‘]/.test(sentence.trim()) ||
        offered.some((line) => overlap(contentOf(quotation), line) > 0.6);
      return !isOffered || VERDICT_ON_PERSON.some((rule) => rule.test(quotation));
    });
  }

  const withoutQuotations = (sentence: string): string =>
    quotationsIn(sentence).reduce((text, quotation) => text.replace(quotation, ' '), sentence);

  function numberFault(sentence: string): LetterFault | null {
    for (const [, cited] of sentence.matchAll(/\blines? (\d+)/gi))
      if (Number(cited) < 1 || Number(cited) > lines) return 'line';
    const rest = sentence.replace(/\b(?:lines?|turns?) \d+(?:(?:,| and| or| to|–|-) ?\d+)*/gi, ' ');
    if (SCORE_WORDS.test(withoutQuotations(rest)))
      return numbersIn(rest).length > 0 && numbersIn(rest).every((number) => scores.has(number) || number === '100')
        ? null
        : 'score';
    return numbersIn(rest).every((number) => numbers.has(number) || (number.length === 1 && Number(number) <= lines))
      ? null
      : 'number';
  }

  function contradicts(sentence: string): boolean {
    const plain = withoutQuotations(sentence);
    if (!CLAIMS.test(plain) && !DENIES.test(plain)) return false;
    const said = contentOf(plain);
    const cited = [...plain.matchAll(/\bline (\d+)/gi)].map(([, line]) => Number(line));
    const denies = DENIES.test(plain);
    return claims.some(({ verdict, content: stems, happened }) => {
      if (overlap(stems, said) < 0.5) return false;
      if (happened) return denies || (cited.length > 0 && verdict.line !== null && !cited.includes(verdict.line));
      return !denies && !ADVISES.test(plain);
    });
  }

  function outcomeFault(sentence: string): boolean {
    const plain = nameless(withoutQuotations(sentence));
    return /\b(?:she|he|they)\b/i.test(plain) && OUTCOME_CLAIM.test(plain);
  }

  return (given) => {
    const sentence = given.normalize('NFC').trim();
    if (language !== 'en' || sentence.length > LONGEST || !isEnglish(sentence)) return 'language';
    if (MACHINE_TEXT.test(sentence)) return 'machine_text';
    if (VERDICT_ON_PERSON.some((rule) => rule.test(withoutQuotations(sentence)))) return 'person';
    if (LAW.test(sentence)) return 'law';
    if (THERAPY.test(sentence)) return 'therapy';
    if (PROMISE.test(nameless(withoutQuotations(sentence)))) return 'promise';
    const number = numberFault(sentence);
    if (number !== null) return number;
    if (quotationFault(sentence)) return 'quotation';
    if (outcomeFault(sentence)) return 'outcome';
    if (contradicts(sentence)) return 'contradiction';
    // What every narrative is checked for; quotations were looked at above.
    const reason = guard(sentence).removed.find((one) => one !== 'quotation');
    return reason ?? null;
  };
}
