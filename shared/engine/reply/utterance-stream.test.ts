import fc from 'fast-check';
import { createUtteranceStream } from './utterance-stream';

const streamed = (chunks: string[]): string => {
  const stream = createUtteranceStream();
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end();
};

/** Cuts a text at every given position. */
const cut = (text: string, positions: number[]): string[] => {
  const marks = [...new Set(positions.map((position) => position % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...marks].map((start, index) => text.slice(start, marks[index] ?? text.length));
};

describe('createUtteranceStream', () => {
  it('decodes the member whatever the cuts, the order and the neighbours', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        text,
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (said, note, last, fence, cuts) => {
          const side = { safety: { npc_utterance: note, list: ['npc_utterance', { npc_utterance: note }] }, note };
          const object = last ? { ...side, npc_utterance: said } : { npc_utterance: said, ...side };
          const json = JSON.stringify(object);
          const whole = fence ? '```json\n' + json + '\n```' : json;
          expect(streamed(cut(whole, cuts))).toBe(said);
        },
      ),
    );
  });

  it('decodes escapes and surrogate pairs one code unit at a time', () => {
    const json = '{"npc_utterance":"caf\\u00e9 \\ud83d\\ude00 \\"so\\" \\\\ 😀\\n"}';
    expect(streamed(json.split(''))).toBe('café 😀 "so" \\ 😀\n');
  });

  it('answers each piece as it arrives, not at the end', () => {
    const stream = createUtteranceStream();
    expect(stream.push('{"npc_utterance": "Good ')).toBe('Good ');
    expect(stream.push('morning')).toBe('morning');
    expect(stream.push('.", "npc_emotion": "warm"}')).toBe('.');
  });

  it('answers a prefix of the utterance for an answer that is cut anywhere', () => {
    const said = 'Wait — “no” \u{1F600} \\ "x"\n';
    const json = JSON.stringify({ npc_emotion: 'warm', npc_utterance: said, state_delta: {} });
    for (let length = 0; length <= json.length; length += 1) {
      expect(said.startsWith(streamed([json.slice(0, length)]))).toBe(true);
    }
  });

  it('passes plain prose through and stops where a brace begins', () => {
    expect(streamed(['Good ', 'morning. And \ud83d', '\ude00 all'])).toBe('Good morning. And \u{1F600} all');
    expect(streamed(['Two weeks? No. ', 'Here {"npc_utterance": "x"}'])).toBe('Two weeks? No. Here ');
    expect(streamed(['  \n', 'Hm. Well'])).toBe('  \nHm. Well');
  });

  it('says no prose before its first sentence shows that it is speech', () => {
    expect(streamed(['Good ', 'morning'])).toBe('');
    expect(streamed(['Sure! Here is the JSON: ', '{"npc_utterance": "x"}'])).toBe('');
    expect(streamed(['npc_utterance: Two weeks? No. More.'])).toBe('');
    expect(streamed(['- Two weeks? No.'])).toBe('');
    expect(streamed([`So ${'long '.repeat(100)}`, '? No.'])).toBe('');
  });

  it('says nothing of lists, strings, other members or a member of another type', () => {
    for (const text of [
      '["a"]',
      '"hello"',
      '```\nhello\n```',
      '{"text": "hello"}',
      '{"npc_utterance": {"a": "b"}}',
      '{"npc_utterance": 5, "npc_utterance": "x"}',
      '{"a": {"npc_utterance": "x"}}',
      '',
    ]) {
      expect(streamed(text.split(''))).toBe('');
    }
  });

  it('says nothing of what a model thinks before it speaks', () => {
    const thinking = '<think>Perhaps {"npc_utterance":"draft"} ...</think>\n';
    expect(streamed((thinking + '{"npc_utterance":"Well."}').split(''))).toBe('Well.');
    expect(streamed([thinking + 'Well. No'])).toBe('\nWell. No');
    expect(streamed(['<thinking>', 'on and on'])).toBe('');
  });

  it('takes the first object when there are two', () => {
    expect(streamed(['{"npc_utterance":"one"}', '{"npc_utterance":"two"}'])).toBe('one');
  });

  it('never answers more than 1200 characters', () => {
    const long = '😀'.repeat(2000);
    expect([...streamed(cut(JSON.stringify({ npc_utterance: long }), [5, 99, 1500, 2500]))]).toHaveLength(1200);
    expect([...streamed(cut(`Hm. ${long}`, [3, 901]))]).toHaveLength(1200);
  });

  it('never throws and answers a prefix of what plain text there is, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('{', '"', '\\', '\\u', '`', '```', ':', 'npc_utterance', '}', '\ud83d'),
          ),
        ),
        (chunks) => {
          expect(typeof streamed(chunks)).toBe('string');
        },
      ),
    );
  });
});
