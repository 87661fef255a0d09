import type { DebriefNarrative, SayInstead, ScenarioContent } from '@parley/shared/contracts';
import { judgeLine, readingOf } from '../../judging/judge-line';
import { matchSigns } from '../../signs/match-signs';
import type { LetterInput } from './letter-input';
import { sentencesOf } from '../text-parts';

/** Whether a sentence of the model may stand in the letter. */
export type SentenceGuard = (sentence: string) => boolean;

export interface RewordedLetter {
  readonly narrative: DebriefNarrative;
  /** How many parts are the model's. */
  readonly reworded: number;
  /** How many parts it offered that did not pass. */
  readonly refused: number;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/**
 * The letter with the parts that the model reworded well: each part of ours may be replaced by the model's part in the same
 * place when every one of its sentences passes; what fails, or has no part of ours behind it, is left out.
 *
 * @param offered the model's object, as parsed.
 */
export function rewordLetter(
  ours: DebriefNarrative,
  offered: Readonly<Record<string, unknown>> | null,
  passes: SentenceGuard,
): RewordedLetter {
  let reworded = 0;
  let refused = 0;
  const part = (mine: string, theirs: unknown, limit: number): string => {
    if (!isText(theirs) || theirs.length > limit) return mine;
    const sentences = sentencesOf(theirs.replace(/[\p{Cc}\p{Surrogate}]/gu, ' '));
    if (sentences.length > 0 && sentences.every(passes)) {
      reworded += 1;
      return sentences.join(' ');
    }
    refused += 1;
    return mine;
  };
  const listed = (mine: readonly string[], theirs: unknown): string[] =>
    mine.map((text, index) => part(text, listIn(theirs)[index], 400));
  const suggestionFor = (turn: number): unknown =>
    listIn(offered?.['replay_suggestions']).find(
      (one): one is { turn: number; suggestion: unknown } =>
        typeof one === 'object' && one !== null && (one as { turn?: unknown }).turn === turn,
    )?.suggestion;
  const narrative = {
    summary: part(ours.summary, offered?.['summary'], 1200),
    strengths: listed(ours.strengths, offered?.['strengths']),
    improvements: listed(ours.improvements, offered?.['improvements']),
    replay_suggestions: ours.replay_suggestions.map(({ turn, suggestion }) => ({
      turn,
      suggestion: part(suggestion, suggestionFor(turn), 400),
    })),
  };
  return { narrative, reworded, refused };
}

const MAX_WORDS = 40;
const NUMBERS = /\d[\d.,  ]*\d|\d/g;
const numbersIn = (text: string): Set<string> =>
  new Set((text.match(NUMBERS) ?? []).map((one) => one.replace(/\D/g, '')));

/** Whether a line of the model can stand for the author's: short, making the same move, with no figure of its own. */
function isFit(
  content: ScenarioContent,
  input: LetterInput,
  language: string,
  ours: SayInstead,
  line: string,
): boolean {
  if (line.split(/\s+/).length > MAX_WORDS) return false;
  const known = numbersIn(
    [content.player_role.brief, ours.better ?? '', ...input.turns.map(({ text }) => text ?? '')].join('\n'),
  );
  if ([...numbersIn(line)].some((number) => !known.has(number))) return false;
  const authored = content.rubric.dimensions
    .find(({ id }) => id === ours.dimension)
    ?.checks.find(({ id }) => id === ours.check);
  const move = authored?.move ?? authored?.after_move ?? null;
  const npc = input.turns.filter(({ index, role }) => role === 'npc' && index < ours.turn).at(-1);
  const context = {
    content,
    language,
    line: ours.line,
    turn: ours.turn,
    lastNpcLine: npc?.text ?? null,
    earlierLines: [],
  };
  const judged = judgeLine(context, line);
  if (move !== null && !judged.moves.some(({ id }) => id === move)) return false;
  if (judged.flags.length > 0) return false;
  return !matchSigns([{ tone: ['insult', 'threat', 'blame'] }], readingOf(context, line)).holds;
}

/** The better lines as the model fitted them to this talk, where they pass; ours everywhere else. */
export function adaptBetterLines(
  input: LetterInput,
  language: string,
  ours: readonly SayInstead[],
  offered: unknown,
): SayInstead[] {
  return ours.map((one, index) => {
    const line = listIn(offered)[index];
    if (!isText(line) || one.better === null || line.trim() === one.better) return one;
    return isFit(input.content, input, language, one, line.trim())
      ? { ...one, better: line.trim(), adapted: true }
      : one;
  });
}
