import { useCallback, useState } from 'react';

const UNTIL_MEASURED = 600;

/** Width of an element in pixels, kept up to date: charts are drawn in real pixels, so that their words stay readable. */
export function useInlineSize(): { width: number; measure: (element: Element | null) => (() => void) | undefined } {
  const [width, setWidth] = useState(UNTIL_MEASURED);
  const measure = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { width, measure };
}
