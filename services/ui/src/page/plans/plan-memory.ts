import { browserMemory, type TabMemory } from '../client/tab-memory';

/** An if-then plan. It stays in this browser: no service is told of it. */
export interface Plan {
  /** The talk that it came from; a talk has one plan. */
  readonly sessionId: string;
  /** Title of the scenario. */
  readonly title: string;
  readonly when: string;
  readonly say: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Whether it was asked about, which is done once. */
  readonly asked: boolean;
}

const KEY = 'parley.plans';
const ASK_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/** Whether it is time to ask about a plan. */
export const isToAsk = ({ asked, madeAt }: Plan, now: number): boolean => !asked && now - madeAt >= ASK_AFTER_MS;

const isPlan = (one: unknown): one is Plan => {
  const { sessionId, title, when, say, madeAt, asked } = (one ?? {}) as Partial<Plan>;
  return (
    [sessionId, title, when, say].every((text) => typeof text === 'string') &&
    typeof madeAt === 'number' &&
    typeof asked === 'boolean'
  );
};

function parsePlans(stored: string | null): readonly Plan[] {
  if (stored === null) return [];
  try {
    const parsed: unknown = JSON.parse(stored);
    return Array.isArray(parsed) ? parsed.filter(isPlan) : [];
  } catch {
    return [];
  }
}

/** The plans of this browser, oldest first, with whoever wants to know of changes. */
export function planStore(memory: TabMemory) {
  let plans: readonly Plan[] | null = null;
  const listeners = new Set<() => void>();
  const read = (): readonly Plan[] => (plans ??= parsePlans(memory.read(KEY)));
  const write = (next: readonly Plan[]): void => {
    plans = next;
    memory.write(KEY, next.length === 0 ? null : JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return {
    read,
    /** Keeps a plan in the place of that talk's last one. */
    keep: (plan: Plan): void => write([...read().filter(({ sessionId }) => sessionId !== plan.sessionId), plan]),
    markAsked: (id: string): void =>
      write(read().map((plan) => (plan.sessionId === id ? { ...plan, asked: true } : plan))),
    forget: (id: string): void => write(read().filter(({ sessionId }) => sessionId !== id)),
    forgetAll: (): void => write([]),
    /** Another tab has changed them. */
    reread: (): void => {
      plans = null;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const plans = planStore(browserMemory);
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => (key === KEY || key === null) && plans.reread());
