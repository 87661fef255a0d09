import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { LineWriter } from './line-writer';

/** What a response is to a writer of lines; keeps each piece that was written. */
class WrittenPieces extends EventEmitter {
  readonly pieces: string[] = [];
  destroyed = false;
  writableNeedDrain = false;
  isEnded = false;

  write(piece: string): boolean {
    this.pieces.push(piece);
    return true;
  }

  /** How many pieces had been written when the end came. */
  piecesBeforeEnd = 0;

  end(piece?: string): void {
    this.piecesBeforeEnd = this.pieces.length;
    if (piece !== undefined) this.pieces.push(piece);
    this.isEnded = true;
  }

  get texts(): string[] {
    return this.pieces
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { text: string }).text);
  }
}

const token = (text: string) => ({ type: 'token', text }) as const;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The writer's clock and its timer stand still but for what a test lets pass, so that a slow machine changes no count. */
const pass = (milliseconds: number): void => void jest.advanceTimersByTime(milliseconds);

describe('LineWriter', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  const opened = () => {
    const response = new WrittenPieces();
    return { response, lines: new LineWriter(response as unknown as ServerResponse) };
  };

  it('lets the first item go at once', () => {
    const { response, lines } = opened();
    lines.write(token('a'));
    expect(response.texts).toEqual(['a']);
  });

  it('lets items go at once that come at the pace of a model', async () => {
    const { response, lines } = opened();
    for (const text of ['a', 'b', 'c']) {
      lines.write(token(text));
      await nextTurn();
      expect(response.texts.at(-1)).toBe(text);
      pass(5);
    }
    expect(response.pieces).toHaveLength(3);
  });

  it('sends a burst in few pieces, all of it and in order, without being asked again', async () => {
    const { response, lines } = opened();
    const all = Array.from({ length: 200 }, (_one, at) => `word ${at}`);
    for (const text of all) {
      lines.write(token(text));
      const nth = Number(text.slice(5));
      if (nth % 4 === 0) await nextTurn();
      if (nth % 20 === 19) pass(1);
    }
    expect(response.texts).toEqual(all);
    // One at once, then one for each millisecond that passed.
    expect(response.pieces).toHaveLength(1 + all.length / 20);
  });

  it('holds no more than a bounded piece back', () => {
    const { response, lines } = opened();
    for (let at = 0; at < 40; at += 1) lines.write(token('x'.repeat(1_000)));
    expect(Math.max(...response.pieces.map((piece) => piece.length))).toBeLessThan(18_000);
    expect(response.pieces.join('').length).toBeGreaterThan(20_000);
  });

  it('lets what waits go with the end', async () => {
    const { response, lines } = opened();
    lines.write(token('a'));
    await nextTurn();
    lines.write(token('b'));
    lines.end();
    expect([response.texts, response.isEnded]).toEqual([['a', 'b'], true]);
    expect(response.piecesBeforeEnd).toBe(1);
    // Nothing is left for the timer to write.
    pass(5);
    expect(response.pieces).toHaveLength(2);
  });

  it('writes nothing to a caller who is gone', async () => {
    const { response, lines } = opened();
    response.destroyed = true;
    lines.write(token('a'));
    await nextTurn();
    expect(response.pieces).toEqual([]);
  });
});
