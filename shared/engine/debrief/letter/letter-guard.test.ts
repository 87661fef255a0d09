import type { CheckVerdict } from '@parley/shared/contracts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { judgedScenario } from '../../../testing/judged-scenario';
import { writeLetter } from './letter';
import { createLetterGuard, type LetterFacts } from './letter-guard';

const labelled = JSON.parse(readFileSync(path.join(__dirname, 'labelled-sentences.json'), 'utf8')) as {
  bad: Record<string, string[]>;
  good: string[];
};

const verdict = (id: string, text: string, verdictOf: CheckVerdict['verdict'], line: number | null): CheckVerdict => ({
  id,
  text,
  points: 20,
  verdict: verdictOf,
  turn: line === null ? null : 2 * line,
  line,
  evidence: null,
  by: 'signs',
  quote: null,
});
const content = judgedScenario();
content.npc.display_name = 'Dana';
content.player_role.brief = 'You earn 46,500 and think that 53,000 is right.';
const dimension = (id: string, checks: CheckVerdict[], faults: CheckVerdict[] = []) => ({
  id,
  name: id,
  weight: 1,
  score: 60,
  observed: true,
  self_rating: null,
  observations: [],
  checks,
  faults,
});

/** One figure in line 1, no open question, no insult; Dana named the freeze. */
const facts: LetterFacts = {
  content,
  language: 'en',
  overall_score: 55,
  better: ['What would you need to say yes?', 'What limits you here?'],
  turns: [
    { index: 1, role: 'npc', text: 'You said it was about your role.' },
    { index: 2, role: 'player', text: 'I am asking for 53,000, because I do two jobs.' },
    { index: 3, role: 'npc', text: 'There is a freeze. Three percent is mine to sign, above it Ines signs.' },
    { index: 4, role: 'player', text: 'But I do two jobs.' },
    { index: 5, role: 'npc', text: 'I know.' },
    { index: 6, role: 'player', text: 'Then I will go now.' },
  ],
  events: [],
  judgements: [],
  judged: true,
  not_judged_reason: null,
  ending: { type: 'player_exit', id: null },
  focus_dimension: null,
  dimensions: [
    dimension('ask', [verdict('figure', 'Names one figure', 'met', 1)]),
    dimension(
      'interest',
      [verdict('asks', 'Asks an open question', 'missed', null)],
      [verdict('insults', 'Insulted her', 'missed', null)],
    ),
  ],
};
const faultOf = createLetterGuard(facts);

describe('the guard of the letter', () => {
  it('is tried on at least 80 sentences that must go and 40 that must stay', () => {
    expect(Object.values(labelled.bad).flat().length).toBeGreaterThanOrEqual(80);
    expect(labelled.good.length).toBeGreaterThanOrEqual(40);
  });

  it.each(
    Object.entries(labelled.bad).flatMap(([kind, sentences]) => sentences.map((sentence) => [kind, sentence] as const)),
  )('refuses %s: %s', (_kind, sentence) => expect(faultOf(sentence)).not.toBeNull());

  it.each(labelled.good)('lets stand: %s', (sentence) => expect(faultOf(sentence)).toBeNull());

  it('lets every sentence of our own letter stand', () => {
    const { narrative } = writeLetter(facts);
    for (const text of [narrative.summary, ...narrative.strengths, ...narrative.improvements])
      for (const sentence of text.split(/(?<=\.) /)) expect([sentence, faultOf(sentence)]).toEqual([sentence, null]);
  });

  it('lets no sentence of a model stand in a language that it does not know', () => {
    expect(createLetterGuard({ ...facts, language: 'de' })('Frag zuerst, was sie braucht.')).toBe('language');
  });

  it('takes 64 KB of anything in time', () => {
    for (const piece of ['a ', '"', 'you are very ', '1,', 'line 1 ', '_a']) {
      const from = performance.now();
      faultOf(piece.repeat(65_536 / piece.length));
      expect(performance.now() - from).toBeLessThan(200);
    }
  });
});
