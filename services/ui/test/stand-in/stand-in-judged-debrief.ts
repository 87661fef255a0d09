import type { CheckVerdict, Debrief, TalkFacts } from '@parley/shared/contracts';
import { writeDebrief, type StandInSession } from './stand-in-sessions';

const FACTS: TalkFacts = {
  player_words: 96,
  npc_words: 130,
  word_share: 0.42,
  words_per_line: 19.2,
  questions_open: 2,
  questions_closed: 1,
  first_ask_line: 1,
  echoes: 3,
  hedges: 0,
  apologies: 0,
  absolutes: 0,
};

/** A debrief as the worker would write it for a scripted talk of five lines whose rubric has checks. */
export function writeJudgedDebrief(one: StandInSession): Debrief {
  const plain = writeDebrief(one);
  const spanOf = (turn: number, words: string) => {
    const start = one.turns.find(({ index }) => index === turn)?.text?.indexOf(words) ?? -1;
    if (start < 0) throw new Error(`Turn ${turn} does not say “${words}”.`);
    return { start, end: start + words.length };
  };
  const met = (id: string, text: string, points: number, turn: number, words: string): CheckVerdict => ({
    id,
    text,
    points,
    verdict: 'met',
    turn,
    line: turn / 2,
    evidence: spanOf(turn, words),
    by: 'signs',
    quote: null,
  });
  const open = (id: string, text: string, points: number, verdict: 'missed' | 'not_judged'): CheckVerdict => ({
    id,
    text,
    points,
    verdict,
    turn: null,
    line: null,
    evidence: null,
    by: verdict === 'missed' ? 'signs' : null,
    quote: null,
  });
  const checks = [
    [
      met('figure', 'Names one figure or a narrow range', 30, 2, 'go from 46,500 to 53,000'),
      met('early', 'Names it within the first five lines', 20, 2, 'to 53,000. Since March'),
    ],
    [
      met('open_question', 'Asks an open question about her limits', 30, 6, 'what can you decide yourself here'),
      open('says_back', 'Says the limit back before going on', 20, 'missed'),
    ],
    [
      open('two_ways', 'Offers at least two ways', 30, 'missed'),
      open('dated_step', 'Fixes who does what by which day', 20, 'not_judged'),
    ],
  ];
  const faults = [
    [],
    [met('argued_on', 'Argued on after she had named a limit', 10, 4, 'Both are in the Monday report')],
    [],
  ];
  return {
    ...plain,
    dimensions: plain.dimensions.map((dimension, at) => ({
      ...dimension,
      score: [100, 50, 20][at] ?? 50,
      observed: true,
      checks: checks[at] ?? [],
      faults: faults[at] ?? [],
      skill: null,
      framework: at === 0 ? 'A first figure becomes the one that both sides talk about.' : null,
      sources: at === 0 ? ['Galinsky and Mussweiler, 2001'] : [],
    })),
    judged: true,
    not_judged_reason: null,
    moment: {
      turn: 6,
      line: 3,
      check: 'open_question',
      kind: 'won',
      author_note: 'Dana can sign for three percent. The rest is a page that somebody else must believe.',
    },
    say_instead: [
      {
        turn: 4,
        line: 2,
        dimension: 'options_and_close',
        check: 'two_ways',
        said: 'Two things. Stock-outs are down from 31 a month to 9.',
        better:
          'Either three percent now and a grade in January, or the full step in two halves. Which is easier to carry?',
        why: 'Two ways let her choose instead of refuse.',
        adapted: true,
      },
    ],
    outcome: [
      {
        text: 'Dana knows your number.',
        turn: 2,
        line: 1,
        said: "I'd like to go from 46,500 to 53,000.",
      },
      { text: 'Nobody said what happens next.', turn: null, line: null, said: null },
    ],
    never: [{ check: 'two_ways', text: 'Offers at least two ways', first_chance_line: 2 }],
    shut_secrets: [{ id: 'retention_line', hint: 'Ask what happens to the team when somebody leaves.' }],
    facts: FACTS,
    facts_before: { ...FACTS, word_share: 0.61, questions_open: 0, first_ask_line: null },
    framework: 'Two ways turn a demand into a choice.',
    sources: [],
    provenance: {
      rubric_hash: 'a1b2',
      prompt_hash: 'c3d4',
      judge_model: 'fake-small',
      reads: 3,
      spread: { clear_ask: 0, interests: 10 },
    },
  };
}

/** A debrief of a talk in which nothing could be judged. */
export function writeUnjudgedDebrief(one: StandInSession): Debrief {
  const plain = writeDebrief(one);
  return {
    ...plain,
    overall_score: 50,
    dimensions: plain.dimensions.map((dimension) => ({
      ...dimension,
      score: 50,
      observed: false,
      observations: [],
      checks: [],
      faults: [],
    })),
    summary: 'You ended the talk.',
    strengths: [],
    improvements: [],
    replay_suggestions: [],
    judged: false,
    not_judged_reason: 'You left before there was anything to judge.',
    moment: null,
    say_instead: [],
    outcome: [],
    never: [],
    shut_secrets: [],
    provenance: { rubric_hash: 'a1b2', prompt_hash: null, judge_model: null, reads: 0, spread: {} },
  };
}
