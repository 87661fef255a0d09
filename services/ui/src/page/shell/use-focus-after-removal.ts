import { useCallback, useEffect, useRef, type RefObject } from 'react';

/** Marks what takes the focus in a row of a list. */
export const TAKES_FOCUS = { 'data-takes-focus': true, tabIndex: -1 } as const;

interface FocusAfterRemoval<E extends HTMLElement> {
  readonly list: RefObject<E | null>;
  /** The row with this key is about to be removed by the player. */
  readonly expectRemoval: (key: string) => void;
}

/**
 * Where the focus goes when the row that held it is removed from a list: to the row that takes its place, else to the
 * last one, else to what stands for the whole list.
 * @param keys the rows in their order; undefined while they are not known.
 * @param whole finds what takes the focus when no row is left; the page's heading when it is not given.
 */
export function useFocusAfterRemoval<E extends HTMLElement>(
  keys: readonly string[] | undefined,
  whole: () => HTMLElement | null = () => document.querySelector('main h1'),
): FocusAfterRemoval<E> {
  const list = useRef<E>(null);
  const expected = useRef<{ readonly key: string; readonly at: number } | null>(null);
  const expectRemoval = useCallback(
    (key: string) => {
      expected.current = { key, at: keys?.indexOf(key) ?? -1 };
    },
    [keys],
  );
  useEffect(() => {
    const removed = expected.current;
    if (removed === null || keys === undefined || keys.includes(removed.key)) return;
    expected.current = null;
    // Whoever has gone on to something else stays there.
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-takes-focus]');
    const next = rows?.[Math.min(removed.at, rows.length - 1)] ?? whole();
    next?.focus();
  }, [keys, whole]);
  return { list, expectRemoval };
}
