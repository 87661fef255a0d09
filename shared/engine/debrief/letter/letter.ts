import type { Debrief, DebriefNarrative, SayInstead, TalkFacts } from '@parley/shared/contracts';
import { allHold } from '../../conditions';
import { debriefWords } from '../debrief-words';
import { viewsOf } from './condition-views';
import { playerLines, type LetterInput } from './letter-input';
import { anythingMoved, decisiveMoment, type Moment } from './moment';
import { talkOutcome } from './outcome';
import { metChecks, openChecks, rankedChecks, type RankedCheck } from './ranked-checks';
import { sayInstead } from './say-instead';
import { asSentence } from './sentences';
import { talkFacts } from './talk-facts';
import { firstChanceLine, lineToChange } from './where-to-try';

/** The parts of the debrief that only a rubric with checks has. */
export interface LetterParts {
  readonly moment: Moment | null;
  readonly say_instead: SayInstead[];
  readonly outcome: NonNullable<Debrief['outcome']>;
  readonly never: NonNullable<Debrief['never']>;
  readonly shut_secrets: NonNullable<Debrief['shut_secrets']>;
  readonly framework: string | null;
  readonly sources: string[];
  /** Left out when the words of the character are not kept. */
  readonly facts?: TalkFacts;
}

export interface Letter {
  parts: LetterParts;
  /** The same in sentences; the model may reword them. */
  narrative: DebriefNarrative;
}

/** Longest quotation of the learner's own words, in characters. */
const QUOTED = 120;
const MAX_STRENGTHS = 3;
const MAX_IMPROVEMENTS = 2;

/**
 * The letter of a talk that was judged by checks: deterministic, and the same whichever model played. It says first what
 * to do at one moment, then what worked and what never happened. Every sentence about the learner names a line of theirs.
 */
export function writeLetter(input: LetterInput): Letter {
  const ranked = rankedChecks(input.content, input.dimensions, input.focus_dimension);
  const byWeight = rankedChecks(input.content, input.dimensions, null);
  const moment = decisiveMoment(input, byWeight);
  const instead = sayInstead(input, ranked);
  const facts = talkFacts(input.content, input.turns, input.judgements);
  const first = openChecks(ranked)[0] ?? metChecks(ranked)[0];
  const why = input.content.rubric.dimensions.find(({ id }) => id === first?.dimension.id);
  return {
    parts: {
      moment,
      say_instead: instead,
      outcome: talkOutcome(input),
      never: neverHappened(input, ranked),
      shut_secrets: shutSecrets(input),
      ...(facts === null ? {} : { facts }),
      framework: why?.framework ?? null,
      sources: [...(why?.sources ?? [])],
    },
    narrative: {
      summary: summary(input, ranked, moment),
      strengths: metChecks(ranked)
        .slice(0, MAX_STRENGTHS)
        .map((one) => shown(input, one)),
      improvements: openChecks(ranked)
        .slice(0, MAX_IMPROVEMENTS)
        .map((one) => improvement(input, one)),
      replay_suggestions: replaySuggestions(input, ranked),
    },
  };
}

function neverHappened(input: LetterInput, ranked: readonly RankedCheck[]): LetterParts['never'] {
  return ranked
    .filter(({ verdict, fault }) => !fault && verdict.verdict === 'missed')
    .map(({ check }) => ({
      check: check.id,
      text: check.text,
      first_chance_line: firstChanceLine(check, input.judgements),
    }));
}

/** Secrets whose conditions held after no turn of the talk. */
function shutSecrets({ content, events }: LetterInput): LetterParts['shut_secrets'] {
  const open = new Set<string>();
  for (const view of viewsOf(events))
    for (const secret of content.secrets) if (allHold(secret.when, view)) open.add(secret.id);
  return content.secrets.filter(({ id }) => !open.has(id)).map(({ id, hint }) => ({ id, hint }));
}

function endingSentence({ content, ending, turns }: LetterInput): string {
  const title = content.endings.find(({ id }) => id !== null && id === ending.id)?.title;
  const words = debriefWords(content.language);
  const after = words.afterLines(playerLines(turns).length);
  return `${words.howItEnded[ending.type]} ${after}${title ? `: ${title}` : ''}.`;
}

/** What to do first, then how it ended. */
function summary(input: LetterInput, ranked: readonly RankedCheck[], moment: Moment | null): string {
  if (!input.judged) return [input.not_judged_reason ?? '', endingSentence(input)].filter(Boolean).join(' ');
  const first = openChecks(ranked)[0];
  const words = debriefWords(input.content.language);
  const advice = first === undefined ? words.allThere : `${words.firstToWorkOn}: ${asSentence(first.check.text)}`;
  return [advice, whereItTurned(input, moment), endingSentence(input)].filter(Boolean).join(' ');
}

function whereItTurned(input: LetterInput, moment: Moment | null): string {
  const words = debriefWords(input.content.language);
  if (moment !== null) return words.whereItTurned(moment.line, moment.kind);
  return anythingMoved(input) ? '' : words.nothingMoved;
}

/** The learner's own words behind a verdict, as a quotation; empty when they are not kept. */
function quoted(input: LetterInput, { verdict }: RankedCheck): string {
  const text = input.turns.find(({ index }) => index === verdict.turn)?.text;
  if (text == null || verdict.evidence === null) return '';
  const words = text.slice(verdict.evidence.start, verdict.evidence.end).trim();
  if (words === '') return '';
  const short = words.length <= QUOTED ? words : `${words.slice(0, words.lastIndexOf(' ', QUOTED))} …`;
  const [open, close] = debriefWords(input.content.language).quotes;
  return `${open}${short}${close}`;
}

/** A check or fault with the line that showed it. */
function shown(input: LetterInput, one: RankedCheck): string {
  const words = debriefWords(input.content.language);
  return `${asSentence(one.check.text)} ${words.yourLine(one.verdict.line ?? 1)} ${quoted(input, one) || words.thereItWas}`;
}

function improvement(input: LetterInput, one: RankedCheck): string {
  if (one.fault) return shown(input, one);
  const words = debriefWords(input.content.language);
  const { by_line: by } = one.check;
  const chance = by === null ? words.roomFrom(firstChanceLine(one.check, input.judgements)) : words.dueBy(by);
  return `${asSentence(one.check.text)} ${chance}`;
}

/** The lines worth saying again: where something went wrong or was missing, never the best ones. */
function replaySuggestions(input: LetterInput, ranked: readonly RankedCheck[]): DebriefNarrative['replay_suggestions'] {
  const lines = playerLines(input.turns);
  const words = debriefWords(input.content.language);
  const chosen = new Map<number, string>();
  for (const one of openChecks(ranked)) {
    if (chosen.size >= MAX_IMPROVEMENTS) break;
    const number = lineToChange(one, input.judgements);
    const line = lines.find((candidate) => candidate.line === number);
    if (line === undefined || chosen.has(line.turn)) continue;
    const why = one.fault ? words.wentWrong : words.aimForThis;
    chosen.set(line.turn, `${words.sayAgain(line.line)} ${why}: ${asSentence(one.check.text)}`);
  }
  return [...chosen].sort(([one], [other]) => one - other).map(([turn, suggestion]) => ({ turn, suggestion }));
}
