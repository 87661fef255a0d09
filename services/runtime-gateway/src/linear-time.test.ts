import type { ChatMessage } from '@parley/shared/contracts';
import { slowTexts, HOSTILE_TEXTS } from '@parley/shared/testing';
import { fileNameOf } from './models/install-source';
import { parseGgufHead } from './models/gguf-header';
import { AnswerText } from './providers/answer-text';
import { cannedDebrief } from './providers/fake/canned-debrief';
import { nativeError } from './providers/local-native/native-errors';
import { NativeStream } from './providers/local-native/native-stream';
import { PullSum } from './providers/local-native/pull-progress';
import { completionError, refusesMember } from './providers/local-server/completion-errors';
import { CompletionStream } from './providers/local-server/completion-stream';
import { listedModels } from './providers/local-server/listed-models';
import { structuredAnswer } from './providers/structured-answer';
import { knownFlags } from './sidecar/sidecar-command';
import { SidecarLog } from './sidecar/sidecar-log';
import { ServerSentEvents } from './upstream/server-sent-events';

const said = (content: string): ChatMessage[] => [{ role: 'user', content }];

/** A reader of a stream gets it in pieces, however small; what it refuses is refused in time as well. */
function fed(reader: { feed(bytes: Buffer): unknown; end(): unknown }, text: string, size: number): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
    reader.end();
  } catch {
    // Not in the form that it reads.
  }
}

function answered(pieces: Iterable<string>): void {
  const answer = new AnswerText();
  for (const piece of pieces) answer.add(piece);
  answer.end();
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_unused, at) => line(at)).join('\n');

/** Everything of the gateway that reads text of model servers, players and packs. */
const READERS: Record<string, (text: string) => unknown> = {
  'AnswerText, at once': (text) => answered([text]),
  'AnswerText, letter by letter': answered,
  'AnswerText, in thoughts': (text) => answered(['<think>', ...text, '</think>', ...text]),
  'ServerSentEvents, at once': (text) => fed(new ServerSentEvents(), text, Infinity),
  'ServerSentEvents, piece by piece': (text) => fed(new ServerSentEvents(), text, 7),
  'ServerSentEvents, in one event': (text) => fed(new ServerSentEvents(), `data: ${text}\n\n`, 64),
  'CompletionStream, at once': (text) => fed(new CompletionStream(), text, Infinity),
  'CompletionStream, in deltas': (text) =>
    fed(new CompletionStream(), `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`, 64),
  'NativeStream, piece by piece': (text) => fed(new NativeStream('m'), text, 7),
  'NativeStream, in messages': (text) =>
    fed(new NativeStream('m'), `${JSON.stringify({ message: { content: text } })}\n`, 64),
  structuredAnswer,
  completionError: (text) => [
    completionError(400, { error: { message: text, type: text } }),
    refusesMember(text, ['a']),
  ],
  nativeError: (text) => nativeError(404, { error: text }, 'm'),
  listedModels: (text) => listedModels({ data: [{ id: text }] }, null),
  fileNameOf,
  parseGgufHead: (text) => {
    try {
      parseGgufHead(Buffer.from(`GGUF\u0003\0\0\0${text}`), 1e9);
    } catch {
      // Damaged.
    }
  },
  cannedDebrief: (text) => cannedDebrief(said(text)),
  knownFlags,
  SidecarLog: (text) => {
    const log = new SidecarLog();
    for (let at = 0; at < text.length; at += 64) log.add(text.slice(at, at + 64), 'secret');
  },
};

describe('text from outside, 64 KB of it', () => {
  it.each(Object.entries(READERS))('%s: takes less than 50 ms, or a time that grows with the text', (_name, read) => {
    expect(slowTexts(read)).toEqual([]);
  });

  it('line breaks of two kinds in one piece take no longer', () => {
    const mixed = ['\n', 'a\n', 'data: a\n\n'].map((unit) => ({ unit, after: '\r' }));
    expect(
      slowTexts((text) => fed(new ServerSentEvents(), text, Infinity), [...mixed, ...HOSTILE_TEXTS.slice(0, 5)]),
    ).toEqual([]);
  });
});

describe('a stream without measure', () => {
  it('is not held back for its white space: an answer that never begins is refused like one that never ends', () => {
    const answer = new AnswerText();
    const blanks = ' '.repeat(1024 * 1024);
    expect(() => {
      for (let at = 0; at < 8; at += 1) answer.add(blanks);
    }).toThrow(expect.objectContaining({ code: 'RUNTIME_ERROR' }));
  });

  it('of a pull with ten thousand layers is added up as it comes', () => {
    const sum = new PullSum();
    const text = lines(10_000, (at) =>
      JSON.stringify({ status: 'pulling', digest: `sha256:${at}`, total: 2, completed: 1 }),
    );
    const objects = text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    const before = process.cpuUsage();
    for (const object of objects) sum.add(object);
    const { user, system } = process.cpuUsage(before);
    expect(sum.add({ status: 'success' })).toEqual({ phase: 'verifying', bytes_done: 10_000, bytes_total: 20_000 });
    expect(user + system).toBeLessThan(1_000_000);
  });
});
