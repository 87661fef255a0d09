import { ServiceError, type ChatFinal } from '@parley/shared/contracts';
import { capturedBody, randomPieces, seededRandom } from '../../testing/captured-response';
import { CompletionStream } from './local-server/completion-stream';
import { NativeStream } from './local-native/native-stream';

/** What both kinds of streams have. */
interface Reader {
  readonly isComplete: boolean;
  feed(bytes: Uint8Array): string[];
  end(): string[];
  rest(): string;
}

interface Outcome {
  readonly text: string;
  readonly final: ChatFinal | null;
  readonly error: unknown;
}

/** Reads a stream to its end as a provider does. */
function readAll<R extends Reader>(reader: R, pieces: readonly Buffer[], finalOf: (reader: R) => ChatFinal): Outcome {
  let text = '';
  try {
    for (const piece of pieces) text += reader.feed(piece).join('');
    text += reader.end().join('');
    if (!reader.isComplete) return { text, final: null, error: null };
    text += reader.rest();
    return { text, final: finalOf(reader), error: null };
  } catch (error) {
    return { text, final: null, error };
  }
}

/** Bytes with some of them changed, left out, doubled, swapped or cut off at the end. */
function mutated(bytes: Buffer, random: () => number): Buffer {
  let result = Buffer.from(bytes);
  for (let round = 0; round < 1 + random() * 2; round += 1) {
    const at = Math.floor(random() * result.length);
    const length = 1 + Math.floor(random() * 40);
    const kind = Math.floor(random() * 9);
    if (kind === 0) result[at] = Math.floor(random() * 256);
    else if (kind === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
    else if (kind === 2) result = Buffer.concat([result.subarray(0, at + length), result.subarray(at)]);
    else if (kind === 3) result = result.subarray(0, at);
    else if (kind > 4) result[at] = (result[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    else result = Buffer.concat([result.subarray(0, at), Buffer.from('\n\n:{}"[]\r\n'), result.subarray(at)]);
  }
  return result;
}

const completionFinal = (reader: CompletionStream): ChatFinal => reader.final({ fallbackModel: 'm', structured: true });
const nativeFinal = (reader: NativeStream): ChatFinal => reader.final({ structured: true });

/** The recorded answer as a native server would send it. */
function asNative(name: string): Buffer {
  const texts = capturedBody(name)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as { choices?: { delta?: { content?: string | null } }[] })
    .map((chunk) => chunk.choices?.[0]?.delta?.content ?? '');
  const lines = texts.map((content) =>
    JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done: false }),
  );
  return Buffer.from([...lines, JSON.stringify({ model: 'm', done: true, done_reason: 'stop' }), ''].join('\n'));
}

const ROUNDS = 1500;
const NAMES = [
  'llama-10-stream-plain.txt',
  'llama-16-stream-progress-timings.txt',
  'llama-43-utf8-pieces.txt',
  'llama-50b-think-prefilled.txt',
  'llama-45-error-mid-stream.txt',
];

describe('damaged streams', () => {
  it.each([
    ['completion chunks', () => new CompletionStream(), completionFinal, (name: string) => capturedBody(name)],
    ['native objects', () => new NativeStream('m'), nativeFinal, asNative],
  ] as const)(
    'of %s never throw anything but a ServiceError, and a success is always what was said',
    (_what, make, final, bodyOf) => {
      const random = seededRandom(42);
      const bodies = NAMES.map((name) => bodyOf(name));
      let finals = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const bytes = mutated(bodies[round % bodies.length] ?? Buffer.alloc(0), random);
        const pieces = randomPieces(bytes, round, 200);
        const outcome = readAll(make() as never, pieces, final as never);
        if (outcome.error !== null) expect(outcome.error).toBeInstanceOf(ServiceError);
        if (outcome.final === null) continue;
        finals += 1;
        expect(outcome.final.text).toBe(outcome.text);
        expect(bytes.toString('latin1')).toMatch(/\[DONE\]|finish_reason|"done"/);
        // The cut must not matter: the same bytes at once say the same.
        const atOnce = readAll(make() as never, [bytes], final as never);
        expect(atOnce.final).toEqual(outcome.final);
      }
      expect(finals).toBeGreaterThan(ROUNDS / 20);
    },
  );

  it('that are cut before their end are never a success, at any byte', () => {
    const body = capturedBody('llama-10-stream-plain.txt');
    const finish = body.indexOf('"finish_reason":"stop"');
    for (let end = 0; end < finish; end += 1)
      expect(readAll(new CompletionStream(), [body.subarray(0, end)], completionFinal).final).toBeNull();
    const native = asNative('llama-10-stream-plain.txt');
    const done = native.indexOf('"done":true');
    for (let end = 0; end < done; end += 1)
      expect(readAll(new NativeStream('m'), [native.subarray(0, end)], nativeFinal).final).toBeNull();
  });
});
