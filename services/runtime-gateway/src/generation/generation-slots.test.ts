import { GenerationSlots } from './generation-slots';

const never = (): AbortSignal => new AbortController().signal;

describe('GenerationSlots', () => {
  it('lets as many run as there are slots and the others in the order in which they came', async () => {
    const slots = new GenerationSlots({ slots: 2, queue: 10, wait_ms: 60_000 });
    const order: string[] = [];
    const run = async (name: string): Promise<() => void> => {
      const release = await slots.take(never());
      order.push(name);
      return release;
    };
    const a = await run('a');
    const b = await run('b');
    const waiting = [run('c'), run('d'), run('e')];
    expect([slots.runningCount, slots.waitingCount]).toEqual([2, 3]);
    b();
    (await waiting[0])?.();
    a();
    (await waiting[1])?.();
    (await waiting[2])?.();
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([slots.runningCount, slots.waitingCount]).toEqual([0, 0]);
  });

  it('refuses with OVERLOADED and Retry-After what the queue cannot hold', async () => {
    const slots = new GenerationSlots({ slots: 1, queue: 1, wait_ms: 60_000 });
    const release = await slots.take(never());
    const second = slots.take(never());
    await expect(slots.take(never())).rejects.toMatchObject({
      code: 'OVERLOADED',
      status: 503,
      headers: { 'Retry-After': '2' },
    });
    release();
    (await second)();
  });

  it('forgets who goes away while waiting, and gives the slot to the next', async () => {
    const slots = new GenerationSlots({ slots: 1, queue: 5, wait_ms: 60_000 });
    const release = await slots.take(never());
    const leaver = new AbortController();
    const gone = slots.take(leaver.signal);
    const next = slots.take(never());
    leaver.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    (await next)();
    expect(slots.runningCount).toBe(0);
  });

  it('counts a slot that is released twice once', async () => {
    const slots = new GenerationSlots({ slots: 1, queue: 5, wait_ms: 60_000 });
    const release = await slots.take(never());
    release();
    release();
    expect(slots.runningCount).toBe(0);
    await slots.take(never());
    expect(slots.runningCount).toBe(1);
  });

  it('gives up waiting with TURN_TIMEOUT', async () => {
    const slots = new GenerationSlots({ slots: 1, queue: 5, wait_ms: 20 });
    const release = await slots.take(never());
    await expect(slots.take(never())).rejects.toMatchObject({ code: 'TURN_TIMEOUT' });
    release();
    expect([slots.runningCount, slots.waitingCount]).toEqual([0, 0]);
  });
});
