import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { compileScenario } from '../compiled-scenario';
import { parseReply } from './parse-reply';
import { saidLines, withoutCopies } from './copies';
import { withoutLeaks } from './leaks';
import { createSpeechGate, keepShown } from './speech-gate';
import { spokenSentences } from './spoken-words';
import { createUtteranceStream } from './utterance-stream';

interface Labelled {
  /** What a model did. */
  readonly kind: string;
  /** The utterance of an answer that is whole otherwise; or the whole answer as it came. */
  readonly utterance?: string;
  readonly reply?: string;
  /** What the player hears; null: nothing of it can be said. */
  readonly heard: string | null;
}

const { player, npc, replies } = JSON.parse(readFileSync(path.join(__dirname, 'labelled-replies.json'), 'utf8')) as {
  player: string;
  npc: string;
  replies: readonly Labelled[];
};
const said = saidLines([player, npc]);
const scenario = compileScenario(scenarioFixture());
const textOf = ({ utterance, reply }: Labelled): string =>
  reply ?? JSON.stringify({ npc_utterance: utterance, npc_emotion: 'neutral' });

/** An id behind two harmless words cannot be foreseen: its sentence is left unfinished. */
const UNFORESEEN = ['You made the move…', 'That raises…', 'I set…'].map(
  (end) => `Two weeks is too long for me. ${end}`,
);

/** What is shown while it arrives, a few characters at a time. */
function pieces(text: string, size = 5): string[] {
  const stream = createUtteranceStream();
  const gate = createSpeechGate(said, scenario);
  const parts = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
  return parts.map((piece) => gate.push(stream.push(piece), stream.isWhole));
}
const shown = (text: string, size?: number): string => pieces(text, size).join('');

describe('what was shown of a reply', () => {
  it.each([
    ['', 'All of it is new.', 'All of it is new.'],
    ['All of', 'All of it is new.', 'All of it is new.'],
    ['One. My mood now', 'One. Two.', 'One. My mood now… Two.'],
    ['One. My mood now', 'One.', 'One. My mood now…'],
    ['One. Two.', 'One. Three.', 'One. Two. Three.'],
    ['One', '', 'One…'],
  ])('%j stays the beginning of %j', (begun, clean, heard) => {
    expect(keepShown(clean, begun)).toBe(heard);
  });
});

describe('replies as small models give them', () => {
  it('are at least 150', () => {
    expect(replies.length).toBeGreaterThanOrEqual(150);
  });

  it.each(replies.map((one) => [one.kind, textOf(one), one] as const))('%s: %j', (_kind, text, { heard }) => {
    const { output } = parseReply(text, null, scenario, said);
    expect(output?.npc_utterance ?? null).toBe(heard);
    expect(output?.state_delta ?? {}).toEqual({});
  });

  it('nothing is shown of what cannot be said and of what was said before', () => {
    const taken = replies.filter(({ heard, kind }) => heard === null && kind !== 'prose that is no clean speech');
    expect(taken.length).toBeGreaterThan(10);
    expect(taken.filter((one) => shown(textOf(one)) !== '').map(textOf)).toEqual([]);
  });

  it.each([1, 2, 3, 5, 8, 13, 50])(
    'what is shown, %i characters at a time, is the beginning of what is heard',
    (size) => {
      const trailedOff: string[] = [];
      for (const one of replies.filter(({ heard }) => heard !== null)) {
        const begun = shown(textOf(one), size);
        const heard = keepShown(one.heard ?? '', begun);
        expect(heard.slice(0, begun.length)).toBe(begun);
        expect([withoutLeaks(begun, scenario.leaks).found, withoutCopies(begun, said).found]).toEqual([false, false]);
        if (heard !== one.heard) trailedOff.push(heard);
      }
      expect(trailedOff.filter((heard) => !UNFORESEEN.includes(heard))).toEqual([]);
    },
  );

  it('what is shown of an utterance that is whole is all of it', () => {
    const whole = replies.filter(({ heard, utterance }) => heard !== null && utterance !== undefined);
    expect(whole.length).toBeGreaterThan(90);
    const other = whole.flatMap((one) => {
      const all = shown(textOf(one));
      return all === one.heard ? [] : keepShown(one.heard ?? '', all);
    });
    expect(other.filter((heard) => !UNFORESEEN.includes(heard))).toEqual([]);
  });

  it('the first words of clean speech come before its first sentence is over, and then word by word', () => {
    const clean = replies.filter(({ heard, utterance }) => heard !== null && heard === utterance);
    const late = clean.filter((one) => {
      const text = textOf(one);
      const sentence = spokenSentences(one.heard ?? '')[0] ?? '';
      const first = pieces(text, 1).findIndex((piece) => piece !== '');
      // The letter after a sentence tells that it is over.
      return first > text.indexOf(sentence) + sentence.length;
    });
    expect(late.map(textOf)).toEqual([]);
    const text = JSON.stringify({
      npc_utterance: 'Nobody here has slept well since that machine of yours stood still.',
    });
    expect(pieces(text, 1).filter((piece) => piece !== '').length).toBeGreaterThan(6);
  });
});
