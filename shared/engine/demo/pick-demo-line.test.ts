import type { Proven, ScenarioContent } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { startState, stateAfterTurn, type EngineState } from '../engine-state';
import { unjudged, type LineContext } from '../judging/judge-line';
import { failedReply } from '../reply/parsed-reply';
import { resolveTurn } from '../resolve-turn';
import { pickDemoLine, type DemoLine } from './pick-demo-line';

type Authored = Partial<ScenarioContent['demo'][number]> & { says: string };
const authored = (line: Authored): ScenarioContent['demo'][number] => ({
  after: null,
  when: [],
  emotion: null,
  otherwise: false,
  signs: [],
  ...line,
});

const fixture = scenarioFixture();
const [modelled] = fixture.moves;
if (modelled === undefined) throw new Error('the fixture has a move');
const move: ScenarioContent['moves'][number] = { ...modelled, signs: [{ words: { at_least: 1 } }], proof: 'signs' };
const base: ScenarioContent = { ...fixture, moves: [move] };
const [flag] = Object.keys(base.flags);
if (flag === undefined) throw new Error('the fixture has a flag');

const withDemo = (...lines: Authored[]): ScenarioContent => ({ ...base, demo: lines.map(authored) });
const bySigns = (id: string): Proven => ({ id, by: 'signs', spans: [] });

const firstLine = (content: ScenarioContent): LineContext => ({
  content,
  language: 'en',
  line: 1,
  turn: 2,
  lastNpcLine: content.opening.npc_says,
  earlierLines: [],
});

function pick(
  content: ScenarioContent,
  showed: { moves?: string[]; flags?: string[]; text?: string } = {},
  changes: Partial<EngineState> = {},
): DemoLine | null {
  const state = { ...startState(content, 'standard'), ...changes };
  const judgement = {
    ...unjudged(state.player_turns + 1, state.turn_index + 1),
    moves: (showed.moves ?? []).map(bySigns),
    flags: (showed.flags ?? []).map(bySigns),
  };
  return pickDemoLine({ ...firstLine(content), difficulty: 'standard', state, text: showed.text ?? '', judgement });
}

describe('the line that the demo voice says', () => {
  it('is none without demo lines', () => {
    expect(pick(withDemo())).toBeNull();
  });

  it('answers a move or a flag of this very line', () => {
    const content = withDemo(
      { after: move.id, says: 'M', emotion: 'warm' },
      { after: flag, says: 'F' },
      { otherwise: true, says: 'O' },
    );
    expect(pick(content, { moves: [move.id] })).toEqual({ index: 0, text: 'M', emotion: 'warm' });
    expect(pick(content, { flags: [flag] })).toMatchObject({ text: 'F', emotion: null });
    expect(pick(content)).toMatchObject({ text: 'O' });
    expect(pick(content, {}, { flags: [move.id, flag] })).toMatchObject({ text: 'O' });
  });

  it('answers an event in the turn after it, when the narration has been read', () => {
    const content = withDemo({ after: 'phone_rings', says: 'E' }, { otherwise: true, says: 'O' });
    const fired = { flags: ['phone_rings'], fired_events: ['phone_rings'] };
    expect(pick(content, {}, { ...fired, pending_instructions: ['phone_rings'] })).toMatchObject({ text: 'E' });
    expect(pick(content, {}, { ...fired, pending_instructions: [] })).toMatchObject({ text: 'O' });
  });

  it('is the first of the file where several fit, and never one that was said', () => {
    const content = withDemo(
      { after: move.id, says: 'one' },
      { says: 'always fits' },
      { after: move.id, says: 'two' },
      { otherwise: true, says: 'first filler' },
      { otherwise: true, says: 'second filler' },
    );
    const made = { moves: [move.id] };
    expect(pick(content, made)?.text).toBe('one');
    expect(pick(content, made, { demo_said: [0] })?.text).toBe('always fits');
    expect(pick(content, made, { demo_said: [0, 1] })?.text).toBe('two');
    expect(pick(content, made, { demo_said: [0, 1, 2] })?.text).toBe('first filler');
    expect(pick(content, made, { demo_said: [0, 1, 2, 3] })?.text).toBe('second filler');
    expect(pick(content, made, { demo_said: [0, 1, 2, 3, 4] })).toBeNull();
  });

  it('answers what its signs find in the line, together with what else it asks for', () => {
    const content = withDemo(
      { after: move.id, signs: [{ says: ['weather'] }], says: 'both' },
      { signs: [{ says: ['weather'] }, { question: 'any' }], says: 'asked' },
      { signs: [{ says: ['weather'] }], says: 'told' },
      { otherwise: true, signs: [{ says: ['rain'] }], says: 'last' },
      { otherwise: true, says: 'O' },
    );
    expect(pick(content, { text: 'How is the weather up there?', moves: [move.id] })?.text).toBe('both');
    expect(pick(content, { text: 'How is the weather up there?' })?.text).toBe('asked');
    expect(pick(content, { text: 'Nice weather, and no rain.' })?.text).toBe('told');
    expect(pick(content, { text: 'It will rain.' })?.text).toBe('last');
    expect(pick(content, { text: 'Hm.' })?.text).toBe('O');
  });

  it('a filler waits, wherever it stands in the file', () => {
    const content = withDemo({ otherwise: true, says: 'filler' }, { after: move.id, says: 'answer' });
    expect(pick(content, { moves: [move.id] })?.text).toBe('answer');
  });

  it('is another one when the answer was put aside', () => {
    const content = withDemo({ says: 'one' }, { says: 'two' }, { otherwise: true, says: 'filler' });
    const moment = {
      ...firstLine(content),
      difficulty: 'standard',
      state: startState(content, 'standard'),
      text: 'Hm.',
      judgement: unjudged(1, 2),
    } as const;
    expect(pickDemoLine({ ...moment, put_aside: ['one'] })?.text).toBe('two');
    expect(pickDemoLine({ ...moment, put_aside: ['one', 'two', 'filler'] })).toBeNull();
  });

  it('sees the talk with what the line itself earned and raised', () => {
    const [variable = '', points = 0] = Object.entries(move.effect)[0] ?? [];
    const before = startState(base, 'standard').state_vars[variable] ?? 0;
    const content = withDemo(
      { after: move.id, when: [{ type: 'no_flag', flag_id: move.id }], says: 'not yet made' },
      {
        after: move.id,
        when: [{ type: 'variable_above', variable, threshold: before + Math.sign(points) }],
        says: 'earned',
      },
      { when: [{ type: 'line', value: 1 }], says: 'line one' },
    );
    expect(points).toBeGreaterThan(1);
    expect(pick(content, { moves: [move.id] })?.text).toBe('earned');
    expect(pick(content)?.text).toBe('line one');
    expect(pick(content, {}, { player_turns: 1 })).toBeNull();
  });
});

describe('what was said', () => {
  const content = withDemo({ says: 'one' }, { says: 'two' });
  const turn = (state: EngineState, demo?: { line: number | null }) =>
    resolveTurn({
      content,
      difficulty: 'standard',
      state,
      reply: failedReply('empty'),
      player_turn_index: state.turn_index + 1,
      ...(demo === undefined ? {} : { demo }),
    });

  it('is remembered by the state and by the event, from which a fork makes the state again', () => {
    const start = { ...startState(content, 'standard'), turn_index: 1 };
    const first = turn(start, { line: 1 });
    const second = turn(first.state, { line: null });
    expect([first.state.demo_said, first.state.demo_voice]).toEqual([[1], true]);
    expect(second.state.demo_said).toEqual([1]);
    const events = [...first.events, ...second.events];
    expect(events.filter(({ kind }) => kind === 'npc_turn').map(({ payload }) => payload)).toMatchObject([
      { demo: { line: 1 } },
      { demo: { line: null } },
    ]);
    const again = stateAfterTurn(content, 'standard', events, second.state.turn_index);
    expect([again.demo_said, again.demo_voice]).toEqual([[1], true]);
    expect(stateAfterTurn(content, 'standard', events, 1)).toMatchObject({ demo_said: [], demo_voice: false });
  });

  it('is nothing where a model answered, or the policy', () => {
    const start = { ...startState(content, 'standard'), turn_index: 1 };
    const byModel = turn(start);
    expect(byModel.state).toMatchObject({ demo_said: [], demo_voice: false });
    expect(byModel.events[0]?.payload).not.toHaveProperty('demo');
    const byPolicy = resolveTurn({
      content,
      difficulty: 'standard',
      state: start,
      reply: null,
      player_turn_index: 2,
      demo: { line: 0 },
      precheck: { action: 'redirect', category: 'x', reason: 'x', redirect_text: 'y', resource_text: null },
    });
    expect(byPolicy.state).toMatchObject({ demo_said: [], demo_voice: false });
  });
});
