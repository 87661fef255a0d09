import fc from 'fast-check';
import { moveFixture, scenarioFixture } from '../../testing/scenario-fixture';
import { findQuoted } from './quoted-words';
import { majorityOpinion, opinionPrompt, questionsFor, readOpinions } from './second-opinion';

const content = scenarioFixture({
  moves: [moveFixture('warm', {}), moveFixture('asked', {}, { signs: [{ question: 'open' }], proof: 'both' })],
});
const check = (id: string, move: string, proof: 'signs' | 'model' | 'both') => ({
  id,
  text: `Shows ${id}`,
  points: 25,
  move,
  flag: null,
  without_flag: null,
  signs: null,
  by_line: null,
  after_move: null,
  proof,
});
content.rubric.dimensions[0]!.checks = [check('warmth', 'warm', 'model'), check('asks', 'asked', 'both')];
const turns = [
  { turn_index: 1, role: 'npc' as const, text: 'So which week is it, really?' },
  { turn_index: 2, role: 'player' as const, text: 'I’m sorry — that is a hard week for you.' },
  { turn_index: 3, role: 'npc' as const, text: 'It is a hard week for me.' },
  { turn_index: 4, role: 'player' as const, text: null },
];
const [questions] = questionsFor(content, 'en');
const answer = (...answers: object[]) => JSON.stringify({ answers });
const read = (text: string) => readOpinions(questions!, turns, text, null);

describe('the second opinion', () => {
  it('is asked only what signs alone cannot tell', () => {
    expect(questionsFor(content, 'en').map(({ dimension, checks }) => [dimension, checks.map(({ id }) => id)])).toEqual(
      [['clarity', ['warmth', 'asks']]],
    );
    content.rubric.dimensions[0]!.checks.push(check('plain', 'asked', 'signs'));
    expect(questionsFor(content, 'en')[0]!.checks).toHaveLength(2);
    expect(questionsFor(content, 'fi')[0]!.checks).toHaveLength(3);
    content.rubric.dimensions[0]!.checks.pop();
  });

  it('gets the questions, the numbered transcript between fences, and a schema of what it may answer', () => {
    const prompt = opinionPrompt(questions!, turns, 'k3j9');
    expect(prompt.messages[0]!.content).toContain('- warmth: Shows warmth');
    expect(prompt.messages[1]!.content).toContain('2 PLAYER: I’m sorry');
    expect(prompt.messages[1]!.content).toContain('<TEXT k3j9>');
    expect(JSON.stringify(prompt.json_schema)).toContain('"enum":[2,4]');
  });

  it('counts a yes with a quotation that stands in that turn, whatever its marks and case', () => {
    const [warmth] = read(answer({ check: 'warmth', met: true, turn: 2, quote: "I'M SORRY, that is" }))!;
    expect(warmth).toMatchObject({ met: true, turn: 2, quote: 'I’m sorry — that is', span: { start: 0, end: 19 } });
  });

  it.each([
    ['no quotation', { met: true, turn: 2, quote: null }],
    ['a quotation that nobody said', { met: true, turn: 2, quote: 'you are very kind' }],
    ['a quotation of two words', { met: true, turn: 2, quote: 'hard week' }],
    ["the character's words", { met: true, turn: 3, quote: 'It is a hard week' }],
    ['another turn', { met: true, turn: 4, quote: 'that is a hard week' }],
    ['a turn that does not exist', { met: true, turn: 99, quote: 'that is a hard week' }],
    ['no', { met: false, turn: 2, quote: 'that is a hard week' }],
  ])('is a no with %s', (_what, given) => {
    expect(read(answer({ check: 'warmth', ...given }))![0]).toMatchObject({ met: false, quote: null, span: null });
  });

  it('is a no for a check that was not answered, and none at all for an answer that cannot be read', () => {
    expect(read(answer())!.map(({ met }) => met)).toEqual([false, false]);
    expect(read('I would rather not.')).toBeNull();
    expect(
      read(
        `Here it is:\n\`\`\`json\n${answer({ check: 'warmth', met: true, turn: 2, quote: 'that is a hard week' })}\n\`\`\``,
      )![0]!.met,
    ).toBe(true);
  });

  it('takes what most readings say', () => {
    const yes = read(answer({ check: 'warmth', met: true, turn: 2, quote: 'that is a hard week' }))!;
    const no = read(answer())!;
    expect(majorityOpinion([yes, no, yes])[0]!.met).toBe(true);
    expect(majorityOpinion([no, no, yes])[0]).toMatchObject({ met: false, quote: null });
  });

  it('never throws, and finds quotations only where they stand', () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text)));
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 3, maxLength: 12 }),
        fc.nat(),
        (words, at) => {
          const from = at % (words.length - 2);
          const quote = words.slice(from, from + 3).join(' ');
          const span = findQuoted(words.join(', '), quote)!;
          expect(words.join(', ').slice(span.start, span.end).replaceAll(',', '')).toBe(quote);
        },
      ),
    );
  });
});
