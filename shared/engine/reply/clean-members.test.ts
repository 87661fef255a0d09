import { scenarioFixture } from '../../testing/scenario-fixture';
import { cleanMembers, firstPoints } from './clean-members';

const content = scenarioFixture();
const whole = {
  npc_utterance: 'Hm.',
  npc_emotion: 'angry',
  state_delta: { trust: 1 },
  event_flags: ['plain_news'],
  rubric_observations: [{ dimension: 'clarity', delta: 1, note: 'n' }],
  safety: { action: 'redirect', reason: 'r' },
  session_control: { end_session: true, reason: 'r' },
};
const EMPTY = {
  npc_emotion: 'neutral',
  state_delta: {},
  event_flags: [],
  rubric_observations: [],
  safety: { action: 'ok', reason: null },
  session_control: { end_session: false, reason: null },
};
type Member = keyof typeof EMPTY;
const cleaned = (members: Record<string, unknown>) => cleanMembers(members, 'Hm.', content);

describe('cleanMembers', () => {
  it.each<[Member, unknown[], string]>([
    ['npc_emotion', ['bored', 7, null], 'not one of the character'],
    ['state_delta', ['up', [1], null, 3], 'not an object'],
    ['event_flags', ['plain_news', { 0: 'plain_news' }, null, 3], 'not a list'],
    ['rubric_observations', ['clarity', { dimension: 'clarity' }, null], 'not a list'],
    ['safety', ['stop', { action: 'explode' }, null, [], {}], 'no known action'],
    ['session_control', [true, { end_session: 'yes' }, null, [], {}], 'end_session is no boolean'],
  ])('puts what is neutral in the place of a broken or missing %s and names it', (member, broken, reason) => {
    for (const value of broken)
      expect(cleaned({ ...whole, [member]: value })).toEqual({
        output: { ...whole, [member]: EMPTY[member] },
        dropped: [{ member, reason }],
      });
    const { [member]: _, ...rest } = whole;
    expect(cleaned(rest)).toEqual({
      output: { ...whole, [member]: EMPTY[member] },
      dropped: [{ member, reason: 'missing' }],
    });
  });

  it.each([
    ['state_delta', { trust: 1.5, rapport: 2 }, { rapport: 2 }, 'a value is no integer'],
    ['state_delta', { trust: '4', rapport: 2 }, { rapport: 2 }, 'a value is no integer'],
    ['event_flags', ['made_up', 'plain_news', 4], ['plain_news'], 'a flag is outside the vocabulary'],
    ['rubric_observations', [{ dimension: 'made_up', delta: 1 }], [], 'unknown dimension'],
    ['rubric_observations', [{ dimension: 5, delta: 1 }], [], 'unknown dimension'],
    ['rubric_observations', [null], [], 'unknown dimension'],
    ['rubric_observations', [{ dimension: 'clarity', delta: 11 }], [], 'delta is no integer from -10 to 10'],
    ['rubric_observations', [{ dimension: 'clarity', delta: '1' }], [], 'delta is no integer from -10 to 10'],
    ['rubric_observations', [{ dimension: 'clarity', delta: 0.5 }], [], 'delta is no integer from -10 to 10'],
  ])('drops from %s only what is wrong: %j', (member, value, kept, reason) => {
    const { output, dropped } = cleaned({ ...whole, [member]: value });
    expect(output[member as Member]).toEqual(kept);
    expect(dropped).toEqual([{ member, reason }]);
  });

  it('reads at most a hundred entries of a member', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`v${index}`, 1]));
    expect(Object.keys(cleaned({ ...whole, state_delta: many }).output.state_delta)).toHaveLength(100);
    const observations = Array.from({ length: 150 }, () => ({ dimension: 'clarity', delta: 0, note: '' }));
    expect(cleaned({ ...whole, rubric_observations: observations }).output.rubric_observations).toHaveLength(100);
    const flags = [...Array.from({ length: 100 }, () => 'plain_news'), 'asks_need'];
    expect(cleaned({ ...whole, event_flags: flags }).output.event_flags).toEqual(['plain_news']);
  });

  it('takes an emotion in other letters and with white space, and turns -0 into 0', () => {
    expect(cleaned({ ...whole, npc_emotion: ' ANGRY ' }).output.npc_emotion).toBe('angry');
    const zero = cleaned({ ...whole, rubric_observations: [{ dimension: 'clarity', delta: -0, note: '' }] });
    expect(Object.is(zero.output.rubric_observations[0]?.delta, 0)).toBe(true);
  });

  it('keeps notes and reasons that say something, printable and in two hundred characters', () => {
    const safety = (reason: unknown) => cleaned({ ...whole, safety: { action: 'ok', reason } }).output.safety.reason;
    expect([safety(' a\u0000b '), safety('  '), safety(4), safety('x'.repeat(201))]).toEqual([
      'ab',
      null,
      null,
      'x'.repeat(200),
    ]);
    expect(firstPoints('😀😀😀', 2)).toBe('😀😀');
    expect(firstPoints('😀', 1)).toBe('😀');
    expect(firstPoints('ab', 2)).toBe('ab');
  });

  it('never takes a member from the prototype', () => {
    const inherited = Object.create(whole) as Record<string, unknown>;
    expect(cleaned(inherited).output).toEqual({ npc_utterance: 'Hm.', ...EMPTY });
  });
});
