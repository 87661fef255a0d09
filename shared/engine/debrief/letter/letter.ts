import type { Debrief, DebriefNarrative, EndingType, SayInstead, TalkFacts } from '@parley/shared/contracts';
import { allHold } from '../../conditions';
import { playerLines, type LetterInput } from './letter-input';
import { anythingMoved, decisiveMoment, type Moment } from './moment';
import { metChecks, openChecks, rankedChecks, type RankedCheck } from './ranked-checks';
import { sayInstead } from './say-instead';
import { asSentence } from './sentences';
import { talkFacts } from './talk-facts';
import { firstChanceLine, lineToChange } from './where-to-try';

/** The parts of the debrief that only a rubric with checks has. */
export interface LetterParts {
  readonly moment: Moment | null;
  readonly say_instead: SayInstead[];
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
        .map((one) => strength(input, one)),
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
  const flags = new Set<string>();
  const open = new Set<string>();
  let lines = 0;
  for (const event of events) {
    if (event.kind === 'npc_turn') {
      lines += 1;
      event.payload.event_flags.forEach((flag) => flags.add(flag));
    } else if (event.kind === 'scenario_event') event.payload.flags.forEach((flag) => flags.add(flag));
    if (event.kind !== 'state_delta' && event.kind !== 'scenario_event') continue;
    const values = event.kind === 'state_delta' ? event.payload.state_vars : null;
    const view = {
      value: (name: string) => values?.[name],
      hasFlag: (flag: string) => flags.has(flag),
      playerTurns: lines,
    };
    for (const secret of content.secrets) if (allHold(secret.when, view)) open.add(secret.id);
  }
  return content.secrets.filter(({ id }) => !open.has(id)).map(({ id, hint }) => ({ id, hint }));
}

const HOW_IT_ENDED: Readonly<Record<EndingType, string>> = {
  success: 'The talk reached its goal',
  failure: 'The talk broke off',
  timeout: 'The talk ran out of turns',
  player_exit: 'You ended the talk',
  safety_stop: 'The talk was stopped for safety',
};

function endingSentence({ content, ending, turns }: LetterInput): string {
  const title = content.endings.find(({ id }) => id !== null && id === ending.id)?.title;
  const lines = playerLines(turns).length;
  const after = lines === 0 ? 'before you said anything' : `after ${lines} ${lines === 1 ? 'line' : 'lines'} of yours`;
  return `${HOW_IT_ENDED[ending.type]} ${after}${title ? `: ${title}` : ''}.`;
}

/** What to do first, then how it ended. */
function summary(input: LetterInput, ranked: readonly RankedCheck[], moment: Moment | null): string {
  if (!input.judged) return [input.not_judged_reason ?? '', endingSentence(input)].filter(Boolean).join(' ');
  const first = openChecks(ranked)[0];
  const advice =
    first === undefined
      ? 'Everything that this talk asks for was there. Try it at a harder setting.'
      : `First to work on: ${asSentence(first.check.text)}`;
  return [advice, whereItTurned(input, moment), endingSentence(input)].filter(Boolean).join(' ');
}

function whereItTurned(input: LetterInput, moment: Moment | null): string {
  if (moment !== null)
    return `Your line ${moment.line} ${moment.kind === 'lost' ? 'cost the most' : 'gained the most'}.`;
  return anythingMoved(input) ? '' : 'Nothing you said changed where the two of you stand.';
}

/** The learner's own words behind a verdict, as a quotation; empty when they are not kept. */
function quoted(input: LetterInput, { verdict }: RankedCheck): string {
  const text = input.turns.find(({ index }) => index === verdict.turn)?.text;
  if (text == null || verdict.evidence === null) return '';
  const words = text.slice(verdict.evidence.start, verdict.evidence.end).trim();
  if (words === '') return '';
  const short = words.length <= QUOTED ? words : `${words.slice(0, words.lastIndexOf(' ', QUOTED))} …`;
  return ` “${short}”`;
}

const strength = (input: LetterInput, one: RankedCheck): string =>
  `${asSentence(one.check.text)} Your line ${one.verdict.line ?? 1}:${quoted(input, one) || ' there it was.'}`;

function improvement(input: LetterInput, one: RankedCheck): string {
  const text = asSentence(one.check.text);
  if (one.fault) return `${text} Your line ${one.verdict.line ?? 1}:${quoted(input, one) || ' there it was.'}`;
  const { by_line: by } = one.check;
  const first = firstChanceLine(one.check, input.judgements);
  const chance = by === null ? `there was room for it from your line ${first} on` : `it was due by your line ${by}`;
  return `${text} It did not come up; ${chance}.`;
}

/** The lines worth saying again: where something went wrong or was missing, never the best ones. */
function replaySuggestions(input: LetterInput, ranked: readonly RankedCheck[]): DebriefNarrative['replay_suggestions'] {
  const lines = playerLines(input.turns);
  const chosen = new Map<number, string>();
  for (const one of openChecks(ranked)) {
    if (chosen.size >= MAX_IMPROVEMENTS) break;
    const number = lineToChange(one, input.judgements);
    const line = lines.find((candidate) => candidate.line === number);
    if (line === undefined || chosen.has(line.turn)) continue;
    const why = one.fault ? 'What went wrong there' : 'Aim for this';
    chosen.set(line.turn, `Say your line ${line.line} again. ${why}: ${asSentence(one.check.text)}`);
  }
  return [...chosen].sort(([one], [other]) => one - other).map(([turn, suggestion]) => ({ turn, suggestion }));
}
