import { scenarioFixture } from '../../testing/scenario-fixture';
import { compileScenario } from '../compiled-scenario';
import { cleanUtterance } from './clean-utterance';
import { npcOutputSchema } from './npc-output-schema';
import { parseReply } from './parse-reply';
import { failedReply } from './parsed-reply';
import { createUtteranceStream } from './utterance-stream';

const content = scenarioFixture();
const scenario = compileScenario(content);
const parse = (text: string, structured: object | null = null) => parseReply(text, structured, scenario);

describe('why an answer was not usable', () => {
  it.each<[string, string, string]>([
    ['', 'failed', 'empty'],
    ['<thinking>so', 'failed', 'empty'],
    ['just words', 'failed', 'plain_text'],
    ['{', 'failed', 'no_json'],
    ['so {smiles} and', 'failed', 'no_json'],
    ['so {"a":1} and', 'failed', 'no_utterance'],
    ['{"a":1}', 'failed', 'no_utterance'],
  ])('%j is %s: %s', (text, kind, reason) => {
    expect(parse(text)).toEqual({ kind, output: null, dropped: [], reason });
  });

  it('is told of an error of the runtime too', () => {
    expect(failedReply('runtime_error')).toEqual({
      kind: 'failed',
      output: null,
      dropped: [],
      reason: 'runtime_error',
    });
  });

  it('says parsed of what the runtime parsed, unless it is a list, and repaired of what was mended', () => {
    expect(parse('', { npc_utterance: 'Hm.' })).toMatchObject({ kind: 'parsed', output: { npc_utterance: 'Hm.' } });
    const list = Object.assign([], { npc_utterance: 'Hm.' });
    expect(parse('', list)).toMatchObject({ kind: 'failed', reason: 'empty' });
    expect(parse('{"npc_utterance":"Hm, well')).toMatchObject({
      kind: 'repaired',
      output: { npc_utterance: 'Hm, well' },
    });
    expect(parse('Well: {"npc_utterance":"Hm, well')).toMatchObject({ output: { npc_utterance: 'Hm, well' } });
    expect(parse('<think>a</think> {"npc_utterance":"Hm."}')).toMatchObject({ kind: 'parsed' });
    expect(parse('Do not <think>a</think> {"npc_utterance":"Hm."}')).toMatchObject({ kind: 'parsed' });
  });
});

describe('cleanUtterance', () => {
  const said = (text: unknown) => cleanUtterance(text, scenario)?.utterance ?? null;

  it('cuts a long text after a sentence, else at a space, else where it must, when at least half is kept', () => {
    const words = 'word '.repeat(300);
    expect(said('a'.repeat(1200))).toBe('a'.repeat(1200));
    expect(said('a'.repeat(1201))).toBe('a'.repeat(1200));
    expect(said(words)).toBe(words.slice(0, 1199));
    expect(said(`${'a'.repeat(598)}. ${words}`)).toBe(
      `${'a'.repeat(598)}. ${words}`.slice(0, 1200).replace(/ \w*$/, ''),
    );
    expect(said(`${'a'.repeat(600)}. ${words}`)).toBe(`${'a'.repeat(600)}.`);
    expect(said(`${'a'.repeat(600)}!\n${words}`)).toBe(`${'a'.repeat(600)}!`);
    expect(said(`${'a'.repeat(600)} ${'b'.repeat(700)}`)).toBe('a'.repeat(600));
    expect(said(`${'a'.repeat(500)} ${'b'.repeat(800)}`)).toBe(`${'a'.repeat(500)} ${'b'.repeat(699)}`);
  });

  it.each([['!'], ['7'], ['€'], ['é']])('takes %j for something said', (text) => {
    expect(said(text)).toBe(text);
  });

  it.each([[' '], ['\u0301'], ['\u0007'], [7], [null]])('takes %j for nothing', (text) => {
    expect(said(text)).toBeNull();
  });

  it('takes a cue off only where it is the name, whatever stands around it', () => {
    expect([' Ines : a', '**ines**: a', '**Ines Duarte:** a', 'INES:a'].map(said)).toEqual(['a', 'a', 'a', 'a']);
    expect(['Duarte: a', 'Ines said: a', ': a', 'a\nInes: b'].map(said)).toEqual([
      'Duarte: a',
      'Ines said: a',
      ': a',
      'a\nInes: b',
    ]);
  });
});

describe('createUtteranceStream, piece by piece', () => {
  const pieces = (...chunks: string[]): string[] => {
    const stream = createUtteranceStream();
    return [...chunks.map((chunk) => stream.push(chunk)), stream.end(), stream.push('after')];
  };

  it.each<[string[], string[]]>([
    [
      ['{"npc_utterance":"a', '', 'b"', ',"npc_utterance":"c"}'],
      ['a', '', 'b', '', '', ''],
    ],
    [['{"npc_utterance":["a"],"npc_utterance":"b"}'], ['', '', '']],
    [['{"npc_utterance":{"a":"b"}}'], ['', '', '']],
    [['{"npc_utterance":5,"npc_utterance":"b"}'], ['', '', '']],
    [['{"a":{"npc_utterance":"b"},"npc_utterance":"c"}'], ['c', '', '']],
    [['{"a":["npc_utterance","b"],"npc_utterance":"c"}'], ['c', '', '']],
    [['{"a":"npc_utterance","npc_utterance":"c"}'], ['c', '', '']],
    [
      ['{"npc_', 'utterance":"c"}'],
      ['', 'c', '', ''],
    ],
    [['{"a":1} {"npc_utterance":"c"}'], ['', '', '']],
    [
      ['{} ', '{"npc_utterance":"c"}'],
      ['', '', '', ''],
    ],
    [
      ['{"a":!', '"npc_utterance":"c"}'],
      ['', '', '', ''],
    ],
    [
      ['\ufeff\n ', '{"npc_utterance":"c"}'],
      ['', 'c', '', ''],
    ],
    [
      ['`', '``js', 'on\n{"npc_utterance":"c"}'],
      ['', '', 'c', '', ''],
    ],
    [
      ['```', ' {"npc_utterance":"c"}'],
      ['', 'c', '', ''],
    ],
    [
      ['```\n', 'text'],
      ['', '', '', ''],
    ],
    [
      ['[', '{"npc_utterance":"c"}]'],
      ['', '', '', ''],
    ],
    [['"npc_utterance"'], ['', '', '']],
    [
      ['Hello. ', 'T', 'here'],
      ['', 'Hello. T', 'here', '', ''],
    ],
    [
      ['He. Is', ' it {', 'x'],
      ['He. Is', ' it ', '', '', ''],
    ],
    [
      ['Hello', '{"a"', ' more'],
      ['', '', '', '', ''],
    ],
    [
      ['So. A[', 'b"'],
      ['So. A[', 'b"', '', ''],
    ],
    [
      ['So. Hi \ud83d', '\ude00'],
      ['So. Hi ', '😀', '', ''],
    ],
    [
      ['So. Hi \ud83d', '{', '\ude00'],
      ['So. Hi ', '\ud83d', '', '', ''],
    ],
    [
      ['<', 'th', 'ink>no</th', 'ink>{"npc_utterance":"c"}'],
      ['', '', '', 'c', '', ''],
    ],
    [
      ['<thinki', 'ng>no</thinking>', 'Hello. So'],
      ['', '', 'Hello. So', '', ''],
    ],
    [[' <THINK>no</THINK> {"npc_utterance":"c"}'], ['c', '', '']],
    [
      ['<thi', 's>'],
      ['', '', '', ''],
    ],
    [['a <think>b'], ['', '', '']],
    [
      ['<think>', 'x'.repeat(50), '</think>Hello. So'],
      ['', '', 'Hello. So', '', ''],
    ],
  ])('%j', (chunks, answers) => {
    expect(pieces(...chunks)).toEqual(answers);
  });

  it('says 1200 characters at the most, whole ones, and then nothing', () => {
    expect(pieces('So. ', 'a'.repeat(1195), 'bc', 'd')).toEqual(['', `So. ${'a'.repeat(1195)}`, 'b', '', '', '']);
    expect(pieces(`So. ${'a'.repeat(1196)}`, 'b')).toEqual([`So. ${'a'.repeat(1196)}`, '', '', '']);
    expect(pieces(`So. ${'😀'.repeat(1201)}`)).toEqual([`So. ${'😀'.repeat(1196)}`, '', '']);
    expect(pieces(`{"npc_utterance":"${'a'.repeat(1200)}`, 'b')).toEqual(['a'.repeat(1200), '', '', '']);
  });

  it('gives up on white space without end', () => {
    expect(pieces(' '.repeat(4000), '{"npc_utterance":"a"}')).toEqual(['', 'a', '', '']);
    expect(pieces(' '.repeat(4097), '{"npc_utterance":"a"}')).toEqual(['', '', '', '']);
  });
});

describe('npcOutputSchema', () => {
  it('is this for the scenario of the tests', () => {
    const text = { type: ['string', 'null'], maxLength: 200 };
    const whole = (bound: number, name: string, favour = '') => ({
      type: 'integer',
      minimum: -bound,
      maximum: bound,
      description: `Change of ${name}.${favour}`,
    });
    const object = (properties: object) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    });
    expect(npcOutputSchema(content, 'standard')).toEqual(
      object({
        npc_utterance: { type: 'string', minLength: 1, maxLength: 1200 },
        npc_emotion: { type: 'string', enum: content.npc.emotions },
        state_delta: {
          type: 'object',
          properties: {
            trust: whole(20, 'trust', ' Favourable: up.'),
            patience: whole(15, 'patience', ' Favourable: up.'),
            pressure: whole(20, 'pressure'),
            rapport: whole(20, 'rapport'),
            openness: whole(20, 'openness'),
            objective_progress: whole(20, 'objective_progress', ' Favourable: up.'),
            alarm: whole(8, 'alarm', ' Favourable: down.'),
          },
          additionalProperties: false,
        },
        event_flags: {
          type: 'array',
          items: { type: 'string', enum: ['plain_news', 'asks_need', 'false_promise'] },
          maxItems: 3,
          description: 'Moves of a skilled player: plain_news, asks_need. Flags: false_promise.',
        },
        rubric_observations: {
          type: 'array',
          maxItems: 4,
          items: object({
            dimension: { type: 'string', enum: ['clarity', 'listening'] },
            delta: { type: 'integer', minimum: -10, maximum: 10 },
            note: { type: 'string', maxLength: 200 },
          }),
        },
        safety: object({
          action: { type: 'string', enum: ['ok', 'redirect', 'refuse', 'stop', 'stop_with_resource_message'] },
          reason: text,
        }),
        session_control: object({ end_session: { type: 'boolean' }, reason: text }),
      }),
    );
  });
});
