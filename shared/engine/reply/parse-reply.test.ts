import fc from 'fast-check';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { compileScenario } from '../compiled-scenario';
import { openSession } from '../open-session';
import { resolveTurn } from '../resolve-turn';
import { parseReply } from './parse-reply';
import type { ParsedReply } from './parsed-reply';
import { createUtteranceStream } from './utterance-stream';

const content = scenarioFixture();
const scenario = compileScenario(content);
const whole = {
  npc_utterance: 'So which week is it, "really"? \u{1F600}',
  npc_emotion: 'frustrated',
  state_delta: { trust: -4, patience: -3 },
  event_flags: ['plain_news'],
  rubric_observations: [{ dimension: 'clarity', delta: 6, note: 'said it at once' }],
  safety: { action: 'ok', reason: null },
  session_control: { end_session: false, reason: null },
};
const json = JSON.stringify(whole);
const parse = (text: string, structured: object | null = null): ParsedReply => parseReply(text, structured, scenario);
const withMembers = (members: object): ParsedReply => parse(JSON.stringify({ ...whole, ...members }));

describe('parseReply', () => {
  it('takes a strict answer as it stands and drops nothing', () => {
    expect(parse(json)).toEqual({ kind: 'parsed', output: whole, dropped: [], reason: null });
  });

  it('prefers what the runtime parsed already', () => {
    expect(parse('damaged {', whole).output).toEqual(whole);
    expect(parse(json, {}).output).toEqual(whole);
    expect(parse(json, []).output).toEqual(whole);
  });

  it.each([
    ['a fence', '```json\n' + json + '\n```'],
    ['prose around', `Of course {smiles}: ${json} Hope that helps!`],
    ['two objects', `${json}\n{"npc_utterance":"second"}`],
    ['an object without an utterance before it', `{"thought":"hm"} ${json}`],
    ['an answer after thoughts', `<think>or {"npc_utterance":"draft"}?</think>${json}`],
    ['white space around', ` \n\t${json}\n`],
  ])('finds the object in %s', (_name, text) => {
    expect(parse(text)).toMatchObject({ kind: 'parsed', output: whole });
  });

  it.each([
    ['a trailing comma', json.replace('}}', ',}}').slice(0, -1) + ',}'],
    ['single quotes', "{'npc_utterance': 'Go on.', 'npc_emotion': 'warm'}"],
    ['unquoted keys', '{npc_utterance: "Go on.", npc_emotion: "warm"}'],
    ['a raw line break in a string', '{"npc_utterance": "Go\non.", "npc_emotion": "warm"}'],
    ['a fence that is not closed', '```json\n{"npc_utterance": "Go on.", "npc_emotion": "warm"'],
  ])('repairs %s', (_name, text) => {
    const reply = parse(text);
    expect(reply.kind).toBe('repaired');
    expect(reply.output?.npc_utterance).toMatch(/^(Go\s+on\.|So which)/);
  });

  it('keeps what was said of an answer that is cut at any byte', () => {
    const bytes = Buffer.from(json);
    const begin = Buffer.from('{"npc_utterance":"').length;
    for (let length = 0; length < bytes.length; length += 1) {
      const text = bytes.subarray(0, length).toString('utf8');
      const reply = parse(text);
      if (length <= begin) {
        expect(reply.output).toBeNull();
        continue;
      }
      const said = reply.output?.npc_utterance ?? '';
      expect(said.length).toBeGreaterThan(0);
      const stream = createUtteranceStream();
      const shown = stream.push(text.replaceAll('\ufffd', '')) + stream.end();
      expect(said.replaceAll('\ufffd', '').startsWith(shown.trim())).toBe(true);
      expect(whole.npc_utterance.startsWith(said.replaceAll('\ufffd', ''))).toBe(true);
    }
  });

  it('takes clean prose for what the character says, without any effect', () => {
    const output = {
      ...whole,
      npc_utterance: 'I would rather wait.',
      npc_emotion: 'neutral',
      state_delta: {},
      event_flags: [],
      rubric_observations: [],
    };
    expect(parse('I would rather wait.')).toEqual({ kind: 'plain', output, dropped: [], reason: null });
    expect(parse('i would rather')).toEqual({ kind: 'failed', output: null, dropped: [], reason: 'plain_text' });
    expect(parse('<think>hm, {"npc_utterance":"draft"}')).toMatchObject({ kind: 'failed', reason: 'empty' });
    expect(parse('')).toMatchObject({ kind: 'failed', reason: 'empty' });
    expect(parse(' \n ')).toMatchObject({ kind: 'failed', reason: 'empty' });
    expect(parse('[{"a": 1}]')).toMatchObject({ kind: 'failed' });
    expect(parse('{"text": "hello"}')).toMatchObject({ kind: 'failed', reason: 'no_utterance' });
    expect(parse('{"npc_utterance": ""}')).toMatchObject({ kind: 'failed', reason: 'no_utterance' });
    expect(parse('{"npc_utterance": 5}')).toMatchObject({ kind: 'failed', reason: 'no_utterance' });
    expect(parse('{"npc_utterance": " \\u0000\\n "}')).toMatchObject({ kind: 'failed', reason: 'no_utterance' });
  });

  it.each([
    ['npc_emotion', 'bored'],
    ['npc_emotion', 7],
    ['state_delta', 'up'],
    ['state_delta', [1]],
    ['event_flags', 'plain_news'],
    ['event_flags', ['made_up']],
    ['rubric_observations', { dimension: 'clarity' }],
    ['rubric_observations', [{ dimension: 'made_up', delta: 1, note: '' }]],
    ['rubric_observations', [{ dimension: 'clarity', delta: 11, note: '' }]],
    ['rubric_observations', [{ dimension: 'clarity', delta: 1.5, note: '' }]],
    ['rubric_observations', [null]],
    ['safety', { action: 'explode' }],
    ['safety', null],
    ['session_control', { end_session: 'yes' }],
    ['session_control', 3],
  ])('keeps the utterance and drops a broken %s', (member, value) => {
    const reply = withMembers({ [member]: value });
    expect(reply.output?.npc_utterance).toBe(whole.npc_utterance);
    expect(reply.dropped.map((drop) => drop.member)).toEqual([member]);
    const { [member as keyof typeof whole]: kept, ...others } = reply.output ?? whole;
    const { [member as keyof typeof whole]: _, ...expected } = whole;
    expect(others).toEqual(expected);
    expect(kept).not.toEqual(value);
  });

  it('drops single values and observations, not their neighbours', () => {
    const reply = withMembers({
      state_delta: { trust: 1.5, patience: -0, rapport: 1e300, openness: '4', other: 3 },
      rubric_observations: [
        { dimension: 'clarity', delta: 2, note: 'x'.repeat(300) },
        { dimension: 'clarity', delta: 99, note: '' },
        { dimension: 'listening', delta: -10 },
        { dimension: 'clarity', delta: 10, note: ' ' },
      ],
      event_flags: ['plain_news', 'plain_news', 'customer_calls', 4],
    });
    expect(Object.is(reply.output?.state_delta.patience, 0)).toBe(true);
    expect(reply.output?.state_delta).toEqual({ patience: 0, rapport: 1e300, other: 3 });
    expect(reply.output?.rubric_observations).toEqual([
      { dimension: 'clarity', delta: 2, note: 'x'.repeat(200) },
      { dimension: 'listening', delta: -10, note: '' },
      { dimension: 'clarity', delta: 10, note: '' },
    ]);
    expect(reply.output?.event_flags).toEqual(['plain_news']);
  });

  it('leaves out unknown members and prototype keys', () => {
    const reply = parse(json.slice(0, -1) + ',"__proto__":{"polluted":true},"extra":1}');
    expect(reply.output).toEqual(whole);
    expect(reply.dropped).toEqual([{ member: '(unknown)', reason: 'unknown member' }]);
    const deltas = parse('{"npc_utterance":"x","state_delta":{"__proto__":5,"constructor":2}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(deltas.output?.state_delta)).toBe(Object.prototype);
    const outcome = resolveTurn({
      content,
      difficulty: 'standard',
      state: openSession(content, 'standard').state,
      reply: deltas,
      player_turn_index: 2,
    });
    expect(outcome.delta).toEqual({});
    expect(outcome.rejected).toHaveLength(2);
  });

  it('tells a member that is missing from one that is broken, and keeps reasons that are text', () => {
    const { safety: _safety, session_control: _control, ...rest } = whole;
    expect(parse(JSON.stringify(rest)).dropped).toEqual([
      { member: 'safety', reason: 'missing' },
      { member: 'session_control', reason: 'missing' },
    ]);
    const reply = withMembers({
      safety: { action: 'redirect', reason: 'off the matter' },
      session_control: { end_session: true, reason: 7 },
    });
    expect(reply.output?.safety).toEqual({ action: 'redirect', reason: 'off the matter' });
    expect(reply.output?.session_control).toEqual({ end_session: true, reason: null });
    expect(reply.dropped).toEqual([]);
  });

  it('cuts an utterance that is too long after a sentence and says so', () => {
    const reply = withMembers({ npc_utterance: 'This is one sentence. '.repeat(100) });
    expect(reply.output?.npc_utterance.length).toBeLessThanOrEqual(1200);
    expect(reply.output?.npc_utterance.endsWith('sentence.')).toBe(true);
    expect(reply.dropped).toEqual([{ member: 'npc_utterance', reason: 'longer than 1200 characters' }]);
    expect([...(withMembers({ npc_utterance: '😀'.repeat(1300) }).output?.npc_utterance ?? '')]).toHaveLength(1200);
  });

  it('cuts where the model goes on to speak for the player, and takes off its own cue', () => {
    expect(withMembers({ npc_utterance: 'Fine.\nPlayer: Thank you!\nInes: Good.' }).output?.npc_utterance).toBe(
      'Fine.',
    );
    expect(withMembers({ npc_utterance: 'Ines Duarte: Fine.' }).output?.npc_utterance).toBe('Fine.');
    expect(withMembers({ npc_utterance: '**Ines:** Fine.' }).output?.npc_utterance).toBe('Fine.');
    expect(withMembers({ npc_utterance: 'Listen: no.' }).output?.npc_utterance).toBe('Listen: no.');
    expect(withMembers({ npc_utterance: 'Player: I agree.' }).kind).toBe('failed');
  });

  it('survives deep nesting', () => {
    const deep = '{"npc_utterance":"x","a":' + '['.repeat(50_000);
    expect(parse(deep).output?.npc_utterance).toBe('x');
    expect(parse('{"a":'.repeat(50_000)).output).toBeNull();
  });

  it('never throws and never lets a value out of range through, whatever the text', () => {
    const damaged = fc
      .tuple(fc.nat(json.length), fc.nat(20), fc.string({ unit: 'binary', maxLength: 10 }))
      .map(([at, count, insert]) => json.slice(0, at) + insert + json.slice(at + count));
    const anything = fc.oneof(
      damaged,
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.anything().map((value) => {
        try {
          return (
            JSON.stringify({ ...whole, state_delta: value, rubric_observations: value, npc_utterance: value }) ?? ''
          );
        } catch {
          return '';
        }
      }),
    );
    fc.assert(
      fc.property(anything, fc.option(fc.object(), { nil: null }), (text, structured) => {
        const { output } = parse(text, structured);
        if (!output) return;
        expect([...output.npc_utterance].length).toBeGreaterThan(0);
        expect([...output.npc_utterance].length).toBeLessThanOrEqual(1200);
        expect(content.npc.emotions).toContain(output.npc_emotion);
        expect(Object.values(output.state_delta).every(Number.isInteger)).toBe(true);
        expect(output.rubric_observations.every(({ delta }) => Math.abs(delta) <= 10)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
