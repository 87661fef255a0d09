import type { ScenarioContent, TurnRole } from '@parley/shared/contracts';
import { FUNCTION_WORDS } from '../signs/function-words';
import type { LineParts } from '../signs/line-parts';
import { readLine } from '../signs/line-reading';
import type { Sentence } from '../signs/sentences';
import { rangesOf, wordPattern } from '../signs/token-text';
import { neutraliseLine } from './neutralise';
import type { PromptTurn } from './prompt-turn';
import { estimateTokens } from './token-estimate';

/** A sentence that somebody would remember: it has a figure, a day or a name in it, or promises something. */
export interface RememberedSentence {
  readonly role: TurnRole;
  readonly turn_index: number;
  readonly text: string;
  readonly is_promise: boolean;
  /** What can be said back: figures, days and names as they were written, in lower case. */
  readonly facts: readonly string[];
}

/** Room of the ledger in the prompt, in tokens. */
export const LEDGER_TOKENS = 220;
/** A longer sentence is cut: its figure or day stands near its beginning as a rule. In UTF-16 units. */
const LONGEST_SENTENCE = 180;

const PROMISES: Readonly<Record<string, RegExp>> = {
  en: wordPattern(
    '(?:i|we) (?:(?:will|shall|promise|agree|can sign|can offer|could offer)|(?:am|are) going to)(?! not)|let me|(?:you|it|that) will have|deal|agreed',
  ),
  de: wordPattern('(?:ich|wir) (?:werde|werden|verspreche|versprechen)|einverstanden|abgemacht|versprochen'),
};

/** Words in the middle of a sentence that begin with a capital; German writes every noun so. */
function namesIn(parts: LineParts, sentence: Sentence): string[] {
  const names: string[] = [];
  for (let index = sentence.from; index < sentence.to; index += 1) {
    const token = parts.tokens[index];
    if (token?.kind !== 'word' || FUNCTION_WORDS.has(token.text)) continue;
    const isKnown = parts.nameWords.has(token.text);
    const isCapital =
      parts.language !== 'de' &&
      index > sentence.from &&
      /^\p{Lu}\p{Ll}/u.test(parts.text.slice(token.start, token.end));
    if (isKnown || isCapital) names.push(token.text);
  }
  return names;
}

/**
 * The sentences of one turn that are worth remembering when the turn itself is no longer shown. Pure; takes time in
 * proportion to the text. Figures and days are found in the languages that signs know, names also in others.
 */
export function rememberedIn(turn: PromptTurn, content: ScenarioContent, language: string): RememberedSentence[] {
  if (turn.text === null) return [];
  const names = [content.npc.display_name];
  const line = neutraliseLine(turn.text);
  const context = { language, lastNpcLine: null, events: {}, names, line: 1, earlierLines: [] };
  const reading = readLine(line, context);
  const { tokens } = reading;
  const promises = rangesOf(reading.tokenText, PROMISES[reading.language] ?? /(?!)/g);
  return reading.sentences.flatMap((sentence): RememberedSentence[] => {
    const isInside = ({ from }: { from: number }): boolean => from >= sentence.from && from < sentence.to;
    const written = [...reading.figures, ...reading.days].filter(isInside).map(({ from, to }) =>
      tokens
        .slice(from, to)
        .map(({ text }) => text)
        .join(' '),
    );
    const facts = [...new Set([...written, ...namesIn(reading, sentence)])];
    const isPromise = promises.some(isInside);
    if (facts.length === 0 && !isPromise) return [];
    const text = line.slice(tokens[sentence.from]?.start ?? 0, tokens[sentence.to - 1]?.end).trim();
    return [{ role: turn.role, turn_index: turn.index, text: shortened(text), is_promise: isPromise, facts }];
  });
}

function shortened(text: string): string {
  if (text.length <= LONGEST_SENTENCE) return text;
  const cut = text.slice(0, LONGEST_SENTENCE);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST_SENTENCE / 2))} …`;
}

const hasAll = (facts: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((fact) => facts.includes(fact));

/** Whether a later sentence of the same speaker says it again, with all of its facts. */
const isSaidAgain = (one: RememberedSentence, later: readonly RememberedSentence[]): boolean =>
  one.facts.length > 0 && later.some((other) => other.role === one.role && hasAll(other.facts, one.facts));

/** Whether the other side took it up: all of its facts stand in one later sentence of theirs. */
const isTakenUp = (one: RememberedSentence, later: readonly RememberedSentence[]): boolean =>
  one.facts.length > 0 && later.some((other) => other.role !== one.role && hasAll(other.facts, one.facts));

const labelOf = ({ role, turn_index: index }: RememberedSentence): string => {
  const line = Math.floor(index / 2);
  if (role === 'player') return `the player, line ${line}`;
  return line === 0 ? 'you, at the beginning' : `you, after line ${line}`;
};

/**
 * The ledger: what was said before the turns that are shown, by speaker and line. What nobody took up yet comes first, of
 * that promises, then the newest; what its speaker said again later is left out, and so is what the budget has no room for.
 * @param sentences oldest first.
 */
export function ledgerLines(sentences: readonly RememberedSentence[], budget = LEDGER_TOKENS): string[] {
  const ranked = sentences
    .map((sentence, at) => ({ sentence, at, later: sentences.slice(at + 1) }))
    .filter(({ sentence, later }) => !isSaidAgain(sentence, later))
    .map(({ sentence, at, later }) => {
      const isOpen = !isTakenUp(sentence, later);
      return { sentence, at, rank: isOpen ? (sentence.is_promise ? 2 : 1) : 0 };
    })
    .sort((one, other) => other.rank - one.rank || other.at - one.at);
  const lines: string[] = [];
  let left = budget;
  for (const { sentence } of ranked) {
    const text = `- ${labelOf(sentence)}: ${sentence.text}`;
    const cost = estimateTokens(text) + 1;
    if (cost > left) continue;
    left -= cost;
    lines.push(text);
  }
  return lines;
}
