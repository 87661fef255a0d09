import type { CheckOpinion, EndingType, LineJudgement } from '@parley/shared/contracts';
import { checkFixture, judgedScenario } from '../../testing/judged-scenario';
import { openSession } from '../open-session';
import { stateAfterTurn } from '../engine-state';
import { failedReply, type CleanReply, type ParsedReply } from '../reply/parsed-reply';
import { resolveTurn } from '../resolve-turn';
import { matchSigns } from '../signs/match-signs';
import { applyMoves } from './apply-moves';
import { checkVerdicts, type JudgedTalk } from './check-verdicts';
import { judgeLine, readingOf, withModelNames, withoutSpans } from './judge-line';
import { judgeTalk } from './judge-talk';
import { scoreChecks } from './score-checks';

const content = judgedScenario();
const context = (line = 1, earlierLines: string[] = [], lastNpcLine: string | null = 'I am listening.') => ({
  content,
  language: 'en',
  line,
  turn: 2 * line,
  lastNpcLine,
  earlierLines,
});
const ids = (ones: readonly { id: string }[]) => ones.map(({ id }) => id);
const judged = (...texts: string[]): LineJudgement[] =>
  judgeTalk(
    content,
    'en',
    texts.flatMap((text, index) => [
      { turn_index: 2 * index + 1, role: 'npc' as const, text: 'Go on.' },
      { turn_index: 2 * index + 2, role: 'player' as const, text },
    ]),
  );
const talk = (
  texts: string[],
  ending: EndingType | null = 'timeout',
  opinions: CheckOpinion[] | null = null,
): JudgedTalk => ({
  content,
  language: 'en',
  judgements: judged(...texts),
  ending_type: ending,
  player_lines: texts.length,
  opinions,
});
const said = (changes: Partial<CleanReply> = {}): ParsedReply => ({
  kind: 'parsed',
  output: {
    npc_utterance: 'Hm.',
    npc_emotion: 'neutral',
    state_delta: {},
    event_flags: [],
    rubric_observations: [],
    safety: { action: 'ok', reason: null },
    session_control: { end_session: false, reason: null },
    ...changes,
  },
  dropped: [],
  reason: null,
});

describe('judging a line', () => {
  it('finds moves and flags by their signs, with the words that prove them', () => {
    const judgement = judgeLine(context(), 'Well. I would like to go to 53,000. What limits you?');
    expect(ids(judgement.moves)).toEqual(['named_number', 'asked']);
    const [span] = judgement.moves[0]!.spans;
    expect('Well. I would like to go to 53,000. What limits you?'.slice(span!.start, span!.end)).toContain('53,000');
    expect(ids(judgeLine(context(), 'I could settle for less.').flags)).toEqual(['gave_ground']);
  });

  it('gives nothing for a line that was said before, and forgives it nothing', () => {
    const line = 'I would settle for 48,000.';
    expect(judgeLine(context(2, [line]), line)).toMatchObject({ repeated: true, moves: [] });
    expect(ids(judgeLine(context(2, [line]), line).flags)).toEqual(['gave_ground']);
  });

  it('keeps evidence that satisfies the signs again when it is cut out', () => {
    const text =
      'Thanks for the time. I am asking for 53,000, because the claims are mine now. How does that sit with you?';
    const judgement = judgeLine(context(), text);
    for (const { id, spans } of judgement.moves) {
      const move = content.moves.find((one) => one.id === id)!;
      const cut = text.slice(spans[0]!.start, spans[0]!.end);
      expect(matchSigns(move.signs, readingOf(context(), cut)).holds).toBe(true);
      expect(cut.length).toBeLessThan(text.length);
    }
  });

  it('leaves nothing but ids and counts of a line that is not saved', () => {
    const bare = withoutSpans(judgeLine(context(), 'I am asking for 53,000.'));
    expect(bare.moves).toEqual([{ id: 'named_number', by: 'signs', spans: [] }]);
    expect(JSON.stringify(bare)).not.toContain('53');
  });

  it('adds what the model named, and marks what only it named', () => {
    const line = withModelNames(
      content,
      judgeLine(context(), '53,000, please.'),
      new Set(['named_number', 'asked', 'gave_ground']),
    );
    expect(line.moves.map(({ id, by }) => [id, by])).toEqual([
      ['named_number', 'both'],
      ['asked', 'model'],
    ]);
    expect(line.flags.map(({ id, by }) => [id, by])).toEqual([['gave_ground', 'model']]);
  });
});

describe('applying moves', () => {
  const start = () =>
    new Map([
      ['trust', 50],
      ['objective_progress', 0],
      ['pressure', 30],
      ['rapport', 50],
    ]);
  const memory = { move_counts: {}, half_moves: [] };
  const apply = (
    text: string,
    named: string[],
    before = memory as Parameters<typeof applyMoves>[4],
    values = start(),
  ) => ({
    ...applyMoves(
      content,
      'standard',
      'en',
      values,
      before,
      withModelNames(content, judgeLine(context(), text), new Set(named)),
    ),
    values,
  });

  it('adds the effect of what the words prove, whatever the model says', () => {
    const { values, raised } = apply('I am asking for 53,000.', []);
    expect([values.get('objective_progress'), raised]).toEqual([20, ['named_number']]);
  });

  it('counts a move again by half each time, or not at all', () => {
    const first = apply('What limits you?', []);
    const second = apply('What do you need?', [], first.memory, first.values);
    const third = apply('How does it work?', [], second.memory, second.values);
    expect([first, second, third].map(({ memory: { move_counts } }) => move_counts['asked'])).toEqual([1, 2, 3]);
    expect(third.values.get('trust')).toBe(50 + 10 + 5 + 2);
    const again = apply('Yes, 53,000.', [], apply('53,000.', []).memory);
    expect(again.values.get('objective_progress')).toBe(0);
  });

  it('gives half, once, for a move that only the model named, and the rest when the words prove it', () => {
    const half = apply('Hello there.', ['named_number']);
    expect([half.values.get('objective_progress'), half.raised, half.unproven]).toEqual([10, [], ['named_number']]);
    const same = apply('Hello again.', ['named_number'], half.memory, half.values);
    expect(same.values.get('objective_progress')).toBe(10);
    const proven = apply('I want 53,000.', ['named_number'], same.memory, same.values);
    expect([proven.values.get('objective_progress'), proven.raised]).toEqual([20, ['named_number']]);
  });

  it('takes the word of the model where there are no signs, or none that know the language', () => {
    expect(apply('Hello.', ['judged_by_model']).values.get('rapport')).toBe(58);
    const judgement = withModelNames(
      content,
      judgeLine({ ...context(), language: 'fi' }, 'x'),
      new Set(['named_number']),
    );
    const values = start();
    const { raised } = applyMoves(content, 'standard', 'fi', values, memory, judgement);
    expect([values.get('objective_progress'), raised]).toEqual([20, ['named_number']]);
  });

  it('wants both proofs for a flag that says so', () => {
    expect(apply('Pay me or I leave.', []).raised).toEqual([]);
    expect(apply('All is well.', ['ultimatum']).raised).toEqual([]);
    expect(apply('Pay me or I leave.', ['ultimatum']).raised).toEqual(['ultimatum']);
  });

  it('makes what helps weaker and what hurts stronger the harder the talk is', () => {
    const scenario = judgedScenario();
    scenario.moves[1]!.effect = { trust: 10, rapport: -10 };
    scenario.difficulty.options.hard!.volatility = 80;
    scenario.difficulty.options.warm = { ...scenario.difficulty.options.hard!, volatility: 20 };
    const after = (difficulty: 'warm' | 'standard' | 'hard') => {
      const values = start();
      applyMoves(
        scenario,
        difficulty,
        'en',
        values,
        memory,
        judgeLine({ ...context(), content: scenario }, 'What limits you?'),
      );
      return [values.get('trust')! - 50, values.get('rapport')! - 50];
    };
    expect(after('warm')).toEqual([13, -7]);
    expect(after('hard')).toEqual([7, -13]);
  });
});

describe('a turn', () => {
  const { state } = openSession(content, 'standard');
  const turn = (text: string, reply: ParsedReply, before = state) =>
    resolveTurn({
      content,
      difficulty: 'standard',
      language: 'en',
      state: before,
      reply,
      player_turn_index: before.turn_index + 1,
      judgement: judgeLine(context(before.player_turns + 1), text),
    });

  it('judges the words also when the model had no usable answer', () => {
    const outcome = turn('I am asking for 53,000.', failedReply('empty'));
    expect(outcome).toMatchObject({
      used_fallback: true,
      event_flags: ['named_number'],
      delta: { objective_progress: 20 },
    });
  });

  it('says what the model named without proof, and does not raise it', () => {
    const outcome = turn('Hello.', said({ event_flags: ['named_number'] }));
    expect(outcome.state.flags).toEqual([]);
    expect(outcome.event_flags).toEqual([]);
    expect(outcome.half_moves).toEqual(['named_number']);
    expect(outcome.rejected).toEqual([{ reason: 'needs_proof', name: 'named_number' }]);
  });

  it('can be made again from its stored events: counts, halves and flags', () => {
    const first = turn('What limits you?', said({ event_flags: ['named_number'] }));
    const second = turn('How much is 53,000 to you?', said(), first.state);
    const events = [...first.events, ...second.events];
    for (const outcome of [first, second])
      expect(stateAfterTurn(content, 'standard', events, outcome.state.turn_index)).toEqual(outcome.state);
  });
});

describe('verdicts', () => {
  const verdicts = (one: JudgedTalk) =>
    Object.fromEntries(
      checkVerdicts(one).flatMap(({ checks, faults }) => [...checks, ...faults].map((v) => [v.id, v.verdict])),
    );

  it('are met where the words were first said, with line, turn and evidence', () => {
    const [clarity] = checkVerdicts(talk(['Hello.', 'I am asking for 53,000.', 'What limits you?']));
    expect(clarity!.checks[0]).toMatchObject({ id: 'figure', verdict: 'met', line: 2, turn: 4, by: 'signs' });
    expect(clarity!.checks[0]!.evidence).not.toBeNull();
    expect(clarity!.checks[2]).toMatchObject({ id: 'stands', verdict: 'met', line: 2 });
  });

  it('are missed when they came too late, or were taken back', () => {
    expect(verdicts(talk(['Hello.', 'So.', 'I am asking for 53,000.']))).toMatchObject({
      figure: 'met',
      early: 'missed',
      stands: 'met',
    });
    expect(verdicts(talk(['I want 53,000.', 'I could settle for less.']))).toMatchObject({
      stands: 'missed',
      lowered: 'met',
    });
  });

  it('need a chance: leaving before the third line misses nothing', () => {
    expect(verdicts(talk(['Hello.'], 'player_exit'))).toMatchObject({ figure: 'not_judged', asks: 'not_judged' });
    expect(verdicts(talk(['Hello.', 'Bye.'], 'player_exit'))).toMatchObject({ figure: 'not_judged', early: 'missed' });
    expect(verdicts(talk(['Hello.'], 'failure'))).toMatchObject({ figure: 'missed' });
    expect(verdicts(talk(['Hello.', 'Well.', 'Bye.'], 'player_exit'))).toMatchObject({
      figure: 'missed',
      asks: 'missed',
    });
  });

  it('are not judged where only a model can tell and none was asked', () => {
    expect(verdicts(talk(['Hello.', 'So.', 'Bye.']))).toMatchObject({ warm: 'not_judged' });
    const opinion = {
      dimension: 'listening',
      check: 'warm',
      met: true,
      turn: 4,
      quote: 'So it is',
      span: { start: 0, end: 2 },
    };
    const [, listening] = checkVerdicts(talk(['Hello.', 'So it is.'], 'timeout', [opinion]));
    expect(listening!.checks[1]).toMatchObject({ verdict: 'met', by: 'model', line: 2, quote: 'So it is' });
    expect(verdicts(talk(['Hello.', 'So.'], 'timeout', [{ ...opinion, met: false, turn: null }]))).toMatchObject({
      warm: 'missed',
    });
  });
});

describe('scores by checks', () => {
  const score = (texts: string[], ending: EndingType = 'timeout') => scoreChecks(talk(texts, ending), [], null);

  it('add what was met, take off what was missed, and take off faults', () => {
    const whole = score(['I want 53,000.', 'What limits you?']);
    expect(whole.dimensions.map(({ score: points, observed }) => [points, observed])).toEqual([
      [100, true],
      [80, true],
    ]);
    expect(score(['Hello.', 'So.', 'Bye.']).dimensions.map(({ score: points }) => points)).toEqual([0, 20]);
    expect(score(['I want 53,000.', 'I could settle for less.']).dimensions[0]!.score).toBe(50 + 20 + 15 - 15 - 25);
  });

  it('are the baseline, and say so, when nothing could be judged', () => {
    expect(score([], 'player_exit')).toMatchObject({ overall_score: 50, judged: false });
    expect(score([], 'player_exit').not_judged_reason).toBe('You left before there was anything to judge.');
    expect(score([], 'player_exit').dimensions.every(({ observed }) => !observed)).toBe(true);
  });

  it('say that only a model can tell in a language that the signs do not know', () => {
    const scenario = judgedScenario();
    const [clarity, listening] = scenario.rubric.dimensions;
    clarity!.checks = [checkFixture('figure', { move: 'named_number', points: 20 })];
    clarity!.faults = [];
    listening!.checks = [checkFixture('asks', { signs: [{ says: ['what would'] }], points: 20 })];
    scenario.moves.forEach((move) => (move.signs = move.signs && [{ says: ['53,000'] }]));
    const french = { ...talk(['Bonjour.', 'Je demande 53 000.'], 'timeout'), content: scenario, language: 'fr' };
    expect(scoreChecks(french, [], null)).toMatchObject({
      judged: false,
      not_judged_reason: expect.stringMatching(/can only be judged by a model/),
    });
  });

  it('leave a dimension without a verdict out of the overall score', () => {
    const scenario = judgedScenario();
    scenario.rubric.dimensions[1]!.checks = [
      checkFixture('warm', { move: 'judged_by_model', points: 50, proof: 'model' }),
    ];
    const scores = scoreChecks({ ...talk(['I want 53,000.', 'Well.']), content: scenario }, [], null);
    expect(scores.overall_score).toBe(100);
    expect(scores.dimensions[1]).toMatchObject({ score: 50, observed: false });
  });

  it('are the same whichever model named what', () => {
    const texts = ['I want 53,000.', 'What limits you?'];
    const flattered = judged(...texts).map((line) =>
      withModelNames(content, line, new Set(['named_number', 'asked', 'gave_ground', 'judged_by_model'])),
    );
    expect(scoreChecks({ ...talk(texts), judgements: flattered }, [], null)).toEqual(score(texts));
  });
});
