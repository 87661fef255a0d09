import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { parseReply } from './parse-reply';
import { createSpeechGate } from './speech-gate';
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
const said = { player: [player], npc: [npc] };
const content = scenarioFixture();
const textOf = ({ utterance, reply }: Labelled): string =>
  reply ?? JSON.stringify({ npc_utterance: utterance, npc_emotion: 'neutral' });

/** What is shown while it arrives, a few characters at a time. */
function shown(text: string): string {
  const stream = createUtteranceStream();
  const gate = createSpeechGate(said, content.npc.display_name);
  return (text.match(/[^]{1,5}/gu) ?? []).map((piece) => gate.push(stream.push(piece))).join('');
}

describe('replies as small models give them', () => {
  it('are at least 150', () => {
    expect(replies.length).toBeGreaterThanOrEqual(150);
  });

  it.each(replies.map((one) => [one.kind, textOf(one), one] as const))('%s: %j', (_kind, text, { heard }) => {
    const { output } = parseReply(text, null, content, said);
    expect(output?.npc_utterance ?? null).toBe(heard);
    expect(output?.state_delta ?? {}).toEqual({});
  });

  it('nothing is shown of what cannot be said and of what was said before, as long as nothing else came', () => {
    const taken = replies.filter(
      ({ heard, kind }) => heard === null && !/^prose|id or a value|hardly changed/.test(kind),
    );
    expect(taken.length).toBeGreaterThan(10);
    expect(taken.filter((one) => shown(textOf(one)) !== '').map(textOf)).toEqual([]);
  });

  it('what is shown of clean speech is what is heard, or its beginning', () => {
    const clean = replies.filter(({ heard, utterance }) => heard !== null && heard === utterance);
    expect(clean.filter((one) => !(one.heard ?? '').startsWith(shown(textOf(one)))).map(textOf)).toEqual([]);
    expect(clean.filter((one) => shown(textOf(one)) === '').map(textOf)).toEqual([]);
  });
});
