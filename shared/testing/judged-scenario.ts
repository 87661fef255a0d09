import type { ScenarioCheck, ScenarioContent } from '@parley/shared/contracts';
import { flagFixture, moveFixture, scenarioFixture } from './scenario-fixture';

/** A check that looks for nothing yet, worth 10 points. */
export const checkFixture = (id: string, changes: Partial<ScenarioCheck>): ScenarioCheck => ({
  id,
  text: `Does ${id}`,
  points: 10,
  move: null,
  flag: null,
  without_flag: null,
  signs: null,
  by_line: null,
  after_move: null,
  proof: 'signs',
  ...changes,
});

/**
 * A talk about pay that is judged by checks, small enough to count by hand: one move by a figure, one by an open question,
 * one that only a model can tell, a flag that costs points and one that needs both proofs. No events, no endings.
 */
export function judgedScenario(): ScenarioContent {
  const content = scenarioFixture({
    events: [],
    endings: [],
    moves: [
      moveFixture(
        'named_number',
        { objective_progress: 20 },
        {
          signs: [{ figure: { from: 40_000, to: 70_000 } }],
          proof: 'signs',
          repeat: 'once',
          exemplars: ['I am asking for 53,000, because both jobs are mine now.'],
        },
      ),
      moveFixture(
        'asked',
        { trust: 10, pressure: -4 },
        { signs: [{ question: 'open' }], proof: 'signs', exemplars: ['What would you need to say yes?'] },
      ),
      moveFixture('judged_by_model', { rapport: 8 }),
    ],
    flags: {
      gave_ground: flagFixture('Lowers it.', {
        shown: 'You went down.',
        signs: [{ says: ['less would do', 'settle for'] }],
        proof: 'signs',
      }),
      ultimatum: flagFixture('Threatens.', { signs: [{ says: ['or I leave'] }], proof: 'both' }),
    },
  });
  const [first, second] = content.rubric.dimensions;
  if (first === undefined || second === undefined) throw new Error('the fixture has two dimensions');
  first.checks = [
    checkFixture('figure', { move: 'named_number', points: 20 }),
    checkFixture('early', { move: 'named_number', by_line: 2, points: 15 }),
    checkFixture('stands', { without_flag: 'gave_ground', after_move: 'named_number', points: 15 }),
  ];
  first.faults = [checkFixture('lowered', { flag: 'gave_ground', points: 25 })];
  second.checks = [
    checkFixture('asks', { move: 'asked', points: 30 }),
    checkFixture('warm', { move: 'judged_by_model', points: 20, proof: 'model' }),
  ];
  return content;
}
