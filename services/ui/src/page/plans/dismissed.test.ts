import { dismissedStore } from './dismissed';

it('remembers what was dismissed, and of much of it the last', () => {
  let stored: string | null = null;
  const store = dismissedStore({
    read: () => stored,
    write: (_key, value) => {
      stored = value;
    },
    clear: () => {
      stored = null;
    },
  });
  expect(store.has('the_ask 2026-01-04')).toBe(false);
  store.add('the_ask 2026-01-04');
  expect(store.has('the_ask 2026-01-04')).toBe(true);
  for (let at = 0; at < 30; at += 1) store.add(`other ${at}`);
  expect(store.has('the_ask 2026-01-04')).toBe(false);
  expect(store.has('other 29')).toBe(true);
  store.forgetAll();
  expect(stored).toBeNull();
});
