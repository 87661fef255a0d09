import type { TabMemory } from '../client/tab-memory';
import { isToAsk, planStore, type Plan } from './plan-memory';

const DAY_MS = 24 * 60 * 60 * 1000;

const plan = (change: Partial<Plan> = {}): Plan => ({
  sessionId: 'one',
  title: 'The ask',
  when: 'she says there is a freeze',
  say: 'What can you decide yourself?',
  madeAt: 1_000,
  asked: false,
  ...change,
});

function memoryOf(stored: string | null): TabMemory & { stored: string | null } {
  const memory = {
    stored,
    read: () => memory.stored,
    write: (_key: string, value: string | null) => {
      memory.stored = value;
    },
    clear: () => {
      memory.stored = null;
    },
  };
  return memory;
}

it('asks about a plan after a week, once', () => {
  expect(isToAsk(plan(), 1_000 + 7 * DAY_MS - 1)).toBe(false);
  expect(isToAsk(plan(), 1_000 + 7 * DAY_MS)).toBe(true);
  expect(isToAsk(plan({ asked: true }), 1_000 + 70 * DAY_MS)).toBe(false);
});

describe('planStore', () => {
  it('keeps one plan a talk over a reload, and tells who listens', () => {
    const memory = memoryOf(null);
    const store = planStore(memory);
    const told = jest.fn();
    const leave = store.subscribe(told);
    store.keep(plan());
    store.keep(plan({ sessionId: 'two' }));
    store.keep(plan({ say: 'Something else' }));
    store.markAsked('two');
    expect(told).toHaveBeenCalledTimes(4);
    expect(planStore(memory).read()).toEqual([
      plan({ sessionId: 'two', asked: true }),
      plan({ say: 'Something else' }),
    ]);
    leave();
    store.forget('one');
    store.forgetAll();
    expect(told).toHaveBeenCalledTimes(4);
    expect(memory.stored).toBeNull();
  });

  it.each([['no JSON'], ['{}'], ['null'], ['[{"sessionId":"x"}, 4, null]']])('takes %s for no plans', (stored) => {
    expect(planStore(memoryOf(stored)).read()).toEqual([]);
  });
});
