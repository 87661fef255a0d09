import { cachedStretches } from './cached-prefix';
import type { Sequence } from './llama-library';
import { chooseSlot, Slots, type Slot } from './slots';

const count = (from: number, length: number): number[] => Array.from({ length }, (_unused, at) => from + at);

describe('what of a prompt is cached', () => {
  it('is the common beginning', () => {
    expect(cachedStretches([1, 2, 3, 9], [1, 2, 3, 4, 5], false)).toEqual([{ from: 0, length: 3 }]);
    expect(cachedStretches([], [1], true)).toEqual([{ from: 0, length: 0 }]);
  });

  it('is also what follows after something that fell out, where tokens may move', () => {
    const cached = [...count(0, 50), ...count(1000, 30), ...count(2000, 100), 7];
    const prompt = [...count(0, 50), ...count(2000, 100), 8];
    expect(cachedStretches(cached, prompt, true)).toEqual([
      { from: 0, length: 50 },
      { from: 80, length: 100 },
    ]);
    expect(cachedStretches(cached, prompt, false)).toEqual([{ from: 0, length: 50 }]);
  });

  it('leaves short stretches alone, and the beginning where it is', () => {
    const cached = [...count(0, 50), 1, ...count(2000, 63)];
    expect(cachedStretches(cached, [...count(0, 50), ...count(2000, 63)], true)).toHaveLength(1);
    expect(cachedStretches(count(5, 200), count(6, 200), true)).toEqual([{ from: 0, length: 0 }]);
  });
});

describe('the slot for a prompt', () => {
  const slot = (cached: number[], usedAt: number): { cached: number[]; usedAt: number } => ({ cached, usedAt });
  const shared = count(0, 100);
  const first = slot([...shared, ...count(1000, 100)], 1);
  const second = slot([...shared, ...count(2000, 100)], 2);

  it('is the one whose talk goes on', () => {
    const prompt = [...second.cached, 5, 6];
    expect(chooseSlot([first, second, slot([], 0)], prompt, false)).toBe(second);
  });

  it('is an unused one for a talk that shares only its beginning with another', () => {
    const unused = slot([], 0);
    expect(chooseSlot([first, unused], [...shared, 5], false)).toBe(unused);
  });

  it('is the one that was used longest ago where they share as much', () => {
    expect(chooseSlot([second, first], [...shared, 5], false)).toBe(first);
    expect(chooseSlot([], shared, false)).toBeNull();
  });
});

describe('the slots', () => {
  const sequence = {} as Sequence;
  const patience = new AbortController().signal;

  it('make the third wait for one of two, in order of arrival', async () => {
    const slots = new Slots([sequence, sequence], 2, false);
    const [one] = [await slots.take([1], patience), await slots.take([2], patience)];
    const order: string[] = [];
    const third = slots.take([3], patience).then((slot) => (order.push('third'), slot));
    const fourth = slots.take([4], patience).then((slot) => (order.push('fourth'), slot));
    slots.giveBack(one);
    slots.giveBack(await third);
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('keep what one more talk has read, and answer no more at once for that', async () => {
    const slots = new Slots([sequence, sequence, sequence], 2, false);
    const talks = [count(0, 9), count(100, 9), count(200, 9)];
    const kept: Slot[] = [];
    for (const tokens of talks) {
      const slot = await slots.take(tokens, patience);
      slot.cached = tokens;
      kept.push(slot);
      slots.giveBack(slot);
    }
    expect(new Set(kept).size).toBe(3);
    const [first, second] = [
      await slots.take([...count(0, 9), 9], patience),
      await slots.take(count(100, 9), patience),
    ];
    expect([first, second]).toEqual([kept[0], kept[1]]);
    let isTaken = false;
    const third = slots.take([...count(200, 9), 9], patience).then((slot) => ((isTaken = true), slot));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    slots.giveBack(first);
    // Its own, not the one that was given back.
    expect(await third).toBe(kept[2]);
  });

  it('forget who leaves while waiting', async () => {
    const slots = new Slots([sequence], 1, false);
    const one = await slots.take([1], patience);
    const leaver = new AbortController();
    const gone = slots.take([2], leaver.signal);
    leaver.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    const next = slots.take([3], patience);
    slots.giveBack(one);
    expect(await next).toBe(one);
  });
});
