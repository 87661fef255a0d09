import type { EndingType, ScenarioCheck, ScenarioContent } from '@parley/shared/contracts';
import { flagFixture, moveFixture, scenarioFixture } from '../../../testing/scenario-fixture';
import { judgeLine } from '../../judging/judge-line';
import { judgeTalk } from '../../judging/judge-talk';
import { scoreChecks } from '../../judging/score-checks';
import { openSession } from '../../open-session';
import { resolveTurn } from '../../resolve-turn';
import type { StoredEventLike } from '../../engine-state';
import { failedReply } from '../../reply/parsed-reply';
import { writeLetter, type Letter } from './letter';
import type { LetterInput } from './letter-input';
import { adaptBetterLines, rewordLetter } from './reword-letter';

const check = (id: string, text: string, changes: Partial<ScenarioCheck>): ScenarioCheck => ({
  id,
  text,
  points: 25,
  move: null,
  flag: null,
  without_flag: null,
  signs: null,
  by_line: null,
  after_move: null,
  proof: 'signs',
  ...changes,
});

function payTalk(): ScenarioContent {
  const content = scenarioFixture({
    player_role: { label: 'Analyst', brief: 'You earn 46,500 and think 53,000 is right.' },
    moves: [
      moveFixture('named_number', { objective_progress: 20 }, {
        signs: [{ figure: { from: 40_000, to: 70_000 } }], proof: 'signs', asks: true, exemplars: ['I am asking for 53,000, because both jobs are mine now.'],
      }),
      moveFixture('asked', { trust: 10 }, { signs: [{ question: 'open' }], proof: 'signs', exemplars: ['What would you need to say yes?'] }),
    ],
    flags: { insult: flagFixture('Insults her.', { shown: 'You insulted her.', signs: [{ tone: ['insult'] }], proof: 'signs' }) },
    events: [],
    secrets: [{ id: 'line', when: [{ type: 'flag', flag_id: 'asked' }], text: 'There is a line.', hint: 'Ask what she can do.' }],
  }); // prettier-ignore
  const [first, second] = content.rubric.dimensions;
  first!.checks = [
    check('figure', 'Names one figure', { move: 'named_number' }),
    check('early', 'Names it within two lines', { move: 'named_number', by_line: 2 }),
  ];
  second!.checks = [check('asks', 'Asks an open question', { move: 'asked', points: 50 })];
  second!.faults = [check('insults', 'Insults her', { flag: 'insult', points: 30 })];
  return content;
}

const content = payTalk();

function inputOf(texts: string[], type: EndingType = 'timeout', focus: string | null = null): LetterInput {
  let { state } = openSession(content, 'standard');
  const events: StoredEventLike[] = [...openSession(content, 'standard').events];
  const turns: LetterInput['turns'][number][] = [{ index: 1, role: 'npc', text: content.opening.npc_says }];
  for (const [place, text] of texts.entries()) {
    const turn = 2 * place + 2;
    const judgement = judgeLine(
      { content, language: 'en', line: place + 1, turn, lastNpcLine: 'Go on.', earlierLines: [] },
      text,
    );
    const reply = failedReply('empty');
    const outcome = resolveTurn({ content, difficulty: 'standard', state, reply, player_turn_index: turn, judgement });
    state = outcome.state;
    events.push(...outcome.events);
    turns.push({ index: turn, role: 'player', text }, { index: turn + 1, role: 'npc', text: 'I see.' });
  }
  const judgements = judgeTalk(
    content,
    'en',
    turns.map(({ index, ...turn }) => ({ turn_index: index, ...turn })),
  );
  const scores = scoreChecks(
    { content, language: 'en', judgements, ending_type: type, player_lines: texts.length, opinions: null },
    [],
    null,
  );
  return {
    content,
    turns,
    events,
    judgements,
    dimensions: scores.dimensions,
    judged: scores.judged,
    not_judged_reason: scores.not_judged_reason,
    ending: { type, id: null },
    focus_dimension: focus,
  };
}

const letterOf = (...given: Parameters<typeof inputOf>): Letter => writeLetter(inputOf(...given));
const SKILLED = [
  'I am asking for 53,000, because I do two jobs.',
  'What limits you there?',
  'I see that. What can we do?',
];
const HOSTILE = ['You are an idiot.', 'Typical. What a coward you are.', 'You are useless.'];

describe('the letter', () => {
  it('names the line that decided, and whether it won or lost', () => {
    expect(letterOf(SKILLED, 'success').parts.moment).toMatchObject({ kind: 'won' });
    expect(letterOf(HOSTILE).parts.moment).toMatchObject({ kind: 'lost', line: 1, check: 'insults' });
    expect(letterOf([], 'player_exit').parts.moment).toBeNull();
  });

  it.each([
    [-2, { kind: 'won', line: 1 }],
    [-8, { kind: 'lost', line: 2 }],
  ])('takes a loss of %d points for what decided only when it is more than a trifle', (patience, expected) => {
    const input = inputOf(['I want 53,000, because I do two jobs.', 'Well.', 'So.']);
    const events = input.events.map((event) =>
      event.kind === 'state_delta' && event.turn_index === 5
        ? { ...event, payload: { ...event.payload, delta: { patience } } }
        : event,
    );
    expect(writeLetter({ ...input, events }).parts.moment).toMatchObject(expected);
  });

  it('names no line where nothing moved, and says so', () => {
    const { parts, narrative } = letterOf(['Hello.', 'Well.', 'Bye.']);
    expect(parts.moment).toBeNull();
    expect(narrative.summary).toContain('Nothing you said changed where the two of you stand.');
    expect(narrative.summary).not.toContain('cost the most');
  });

  it('lets who met no check begin where the rubric begins', () => {
    const first = content.rubric.dimensions[0]?.checks[0]?.text ?? '';
    expect(letterOf(['Hello.', 'Well.', 'Bye.']).narrative.summary).toMatch(`First to work on: ${first}.`);
  });

  it("says at most two lines another way, with the learner's words, an author's line and why", () => {
    const { say_instead: instead } = letterOf(HOSTILE).parts;
    expect(instead.length).toBeGreaterThan(0);
    expect(instead.length).toBeLessThanOrEqual(2);
    for (const one of instead) {
      expect(HOSTILE).toContain(one.said);
      expect(content.moves.flatMap(({ exemplars }) => exemplars)).toContain(one.better);
      expect(one.why).not.toBe('');
    }
  });

  it('puts the chosen focus first', () => {
    expect(letterOf(['Hello.', 'Well.', 'Bye.'], 'timeout', 'clarity').parts.say_instead[0]).toMatchObject({
      dimension: 'clarity',
    });
    expect(letterOf(['Hello.', 'Well.', 'Bye.'], 'timeout', 'listening').parts.say_instead[0]).toMatchObject({
      dimension: 'listening',
    });
  });

  it('calls no check both a strength and something to improve', () => {
    for (const texts of [SKILLED, HOSTILE, ['I want 53,000.', 'You are an idiot.', 'So.']]) {
      const { strengths, improvements } = letterOf(texts).narrative;
      for (const { text } of content.rubric.dimensions.flatMap(({ checks }) => checks))
        expect([...strengths, ...improvements].filter((one) => one.startsWith(`${text}.`)).length).toBeLessThanOrEqual(
          1,
        );
    }
  });

  it('tells what never happened, from which line it could have, and what stayed shut', () => {
    const { never, shut_secrets: shut } = letterOf(['Hello.', 'Well.', 'Bye.']).parts;
    expect(never).toContainEqual({ check: 'asks', text: 'Asks an open question', first_chance_line: 1 });
    expect(shut).toEqual([{ id: 'line', hint: 'Ask what she can do.' }]);
    expect(letterOf(SKILLED, 'success').parts.shut_secrets).toEqual([]);
  });

  it('suggests the worst lines for another try, never the best', () => {
    const { replay_suggestions: again } = letterOf([
      'I want 53,000, because I do two jobs.',
      'You are an idiot.',
      'So.',
    ]).narrative;
    expect(again.map(({ turn }) => turn)).toContain(4);
    expect(again.map(({ turn }) => turn)).not.toContain(2);
  });

  it('counts what can be counted', () => {
    expect(letterOf(SKILLED, 'success').parts.facts).toMatchObject({ questions_open: 2, first_ask_line: 1 });
    const lost = inputOf(SKILLED, 'success');
    const turns = lost.turns.map((turn) => ({ ...turn, text: null }));
    expect(writeLetter({ ...lost, turns }).parts.facts).toBeUndefined();
  });

  it('counts as the ask what the pack marks as one, else what the first dimension rests on and is not marked as none', () => {
    const late = inputOf(['What would you need?', 'Hm.', 'I want 53,000.']);
    const questionsFirst = { ...content.rubric, dimensions: [...content.rubric.dimensions].reverse() };
    const { facts } = writeLetter({ ...late, content: { ...content, rubric: questionsFirst } }).parts;
    expect(facts?.first_ask_line).toBe(3);
    expect(letterOf(['What would you need?']).parts.facts?.first_ask_line).toBeNull();
    const input = inputOf(SKILLED, 'success');
    const firstAsk = (asks: boolean | null): number | null | undefined => {
      const moves = content.moves.map((move) => ({ ...move, asks }));
      return writeLetter({ ...input, content: { ...content, moves } }).parts.facts?.first_ask_line;
    };
    expect([firstAsk(null), firstAsk(false)]).toEqual([1, null]);
  });

  it('says that nothing was judged, and judges nothing, when the player left at once', () => {
    const { narrative } = letterOf([], 'player_exit');
    expect(narrative.summary).toBe(
      'You left before there was anything to judge. You ended the talk before you said anything.',
    );
    expect(narrative).toMatchObject({ strengths: [], improvements: [], replay_suggestions: [] });
  });

  it('holds no word that was written for the model, and no id', () => {
    const text = JSON.stringify(letterOf(HOSTILE).narrative);
    expect(text).not.toMatch(/Insults her\. .*model|named_number|objective_progress|Objective progress/);
    expect(text).not.toContain('The player');
  });
});

describe('rewording the letter', () => {
  const ours = letterOf(['I want 53,000.', 'You are an idiot.', 'So.']).narrative;

  it('takes a part when each of its sentences passes, and ours in every other place', () => {
    const offered = {
      summary: 'Good one. Bad one.',
      strengths: ['A fine line.'],
      improvements: ['Fine. Bad.'],
      replay_suggestions: [],
    };
    const { narrative, reworded, refused } = rewordLetter(ours, offered, (sentence) => !sentence.startsWith('Bad'));
    expect(narrative.summary).toBe(ours.summary);
    expect(narrative.strengths[0]).toBe('A fine line.');
    expect(narrative.improvements[0]).toBe(ours.improvements[0]);
    expect([reworded, refused]).toEqual([1, 2]);
  });

  it.each([[null], [{}], [{ summary: 7, strengths: 'x', replay_suggestions: [null, { turn: 99, suggestion: 'x' }] }]])(
    'is ours when the model offers %j',
    (offered) => expect(rewordLetter(ours, offered, () => true).narrative).toEqual(ours),
  );

  it('adds nothing: parts beyond ours are left out', () => {
    const offered = {
      strengths: Array.from({ length: 9 }, () => 'More.'),
      replay_suggestions: [{ turn: 2, suggestion: 'No.' }],
    };
    expect(rewordLetter(ours, offered, () => true).narrative.strengths).toHaveLength(ours.strengths.length);
  });
});

describe('fitting a better line to the talk', () => {
  const input = inputOf(['Hello.', 'Well.', 'Bye.'], 'timeout', 'clarity');
  const instead = writeLetter(input).parts.say_instead.slice(0, 1);
  const fit = (line: unknown) => adaptBetterLines(input, 'en', instead, [line])[0]!;

  it('takes a short line that makes the same move with figures of the material', () => {
    expect(fit('Dana, I would like 53,000.')).toMatchObject({ better: 'Dana, I would like 53,000.', adapted: true });
  });

  it.each([
    ['another figure', 'I would like 61,000.'],
    ['no move', 'I would like more money.'],
    ['an insult', 'Pay me 53,000, you idiot.'],
    ['too long', `I would like 53,000 ${'and so on '.repeat(20)}`],
    ['no text', 7],
  ])('keeps the line of the author for %s', (_what, line) => {
    expect(fit(line)).toEqual(instead[0]);
  });
});
