import { flagFixture, moveFixture, scenarioFixture } from '../../../testing/scenario-fixture';
import type { StoredEventLike } from '../../engine-state';
import { judgeTalk } from '../../judging/judge-talk';
import type { LetterInput, LetterTurn } from './letter-input';
import { talkOutcome } from './outcome';

const content = scenarioFixture({
  moves: [
    moveFixture('named_number', {}, { signs: [{ figure: { from: 40_000, to: 70_000 } }], proof: 'signs' }),
    moveFixture('fixed_step', {}, { signs: [{ day: true }], proof: 'signs' }),
  ],
  flags: { gave_ground: flagFixture('Gives ground.') },
  outcome: [
    { when: [{ type: 'flag', flag_id: 'named_number' }], ending: null, text: 'She knows your number.', quote: 'named_number' },
    { when: [{ type: 'no_flag', flag_id: 'named_number' }], ending: null, text: 'No figure was named.', quote: null },
    { when: [{ type: 'variable_above', variable: 'trust', threshold: 54 }], ending: null, text: 'She trusts you.', quote: null },
    { when: [], ending: 'agreed', text: 'She signs on Friday.', quote: 'fixed_step' },
  ],
}); // prettier-ignore

const said = (role: 'player' | 'npc', index: number, text: string | null): LetterTurn => ({ role, index, text });

function inputOf(lines: readonly string[], flags: readonly string[], trust = 40, changes: Partial<LetterInput> = {}) {
  const turns = [
    said('npc', 1, 'Come in.'),
    ...lines.flatMap((text, at) => [said('player', 2 * at + 2, text), said('npc', 2 * at + 3, 'Go on.')]),
  ];
  const events: StoredEventLike[] = lines.flatMap((_text, at): StoredEventLike[] => [
    {
      kind: 'npc_turn',
      turn_index: 2 * at + 3,
      payload: {
        emotion: 'neutral',
        state_delta: {},
        event_flags: at === lines.length - 1 ? [...flags] : [],
        used_fallback: false,
      },
    },
    { kind: 'state_delta', turn_index: 2 * at + 3, payload: { delta: {}, state_vars: { trust } } },
  ]);
  const input: LetterInput = {
    content,
    turns,
    events,
    dimensions: [],
    judged: true,
    not_judged_reason: null,
    judgements: judgeTalk(
      content,
      'en',
      turns.map((turn) => ({ turn_index: turn.index, role: turn.role, text: turn.text })),
    ),
    ending: { type: 'timeout', id: null },
    focus_dimension: null,
    ...changes,
  };
  return input;
}

const LINES = [
  'Thanks for the time. I would like 50,000. Is that fair?',
  'Then let me be plain. It is 53,000 for both jobs. You have the page on Friday at ten!',
];

describe('what came of a talk', () => {
  it('reads back what holds at its end, with the sentence that made the move last, as the player said it', () => {
    expect(talkOutcome(inputOf(LINES, ['named_number', 'fixed_step']))).toEqual([
      { text: 'She knows your number.', turn: 4, line: 2, said: 'It is 53,000 for both jobs.' },
    ]);
  });

  it('asks for the ending, the variables and what was not said', () => {
    const agreed = { ending: { type: 'success', id: 'agreed' } } as const;
    expect(talkOutcome(inputOf(LINES, ['fixed_step'], 55, agreed))).toEqual([
      { text: 'No figure was named.', turn: null, line: null, said: null },
      { text: 'She trusts you.', turn: null, line: null, said: null },
      { text: 'She signs on Friday.', turn: 4, line: 2, said: 'You have the page on Friday at ten!' },
    ]);
  });

  it('quotes nothing that was not kept, and nothing that only the model named', () => {
    const kept = inputOf(LINES, ['named_number']);
    const turns = kept.turns.map((turn) => ({ ...turn, text: null }));
    const judgements = kept.judgements.map((one) => ({
      ...one,
      moves: one.moves.map((move) => ({ ...move, spans: [] })),
    }));
    expect(talkOutcome({ ...kept, turns, judgements })).toEqual([
      { text: 'She knows your number.', turn: 4, line: 2, said: null },
    ]);
    const named = kept.judgements.map((one) => ({
      ...one,
      moves: one.moves.map((move) => ({ ...move, by: 'model' as const })),
    }));
    expect(talkOutcome({ ...kept, judgements: named })).toEqual([
      { text: 'She knows your number.', turn: null, line: null, said: null },
    ]);
  });

  it('cuts a sentence that is too long to read back down to what proved the move', () => {
    const endless =
      'I would like 53,000 because the claims came to me in March with the whole shelf of old letters that nobody had ' +
      'answered, and because the planning stayed with me all the same, which my colleague at the window will tell you ' +
      'if you ask her, and because both of them together are what two people did here before.';
    expect(talkOutcome(inputOf([endless], ['named_number']))[0]).toMatchObject({ said: '53,000' });
  });

  it('is empty for a talk that was not judged, or in which nothing was said', () => {
    expect(talkOutcome(inputOf(LINES, ['named_number'], 60, { judged: false }))).toEqual([]);
    expect(talkOutcome(inputOf([], []))).toEqual([]);
  });
});
