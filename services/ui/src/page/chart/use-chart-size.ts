import { useCallback, useState } from 'react';

const UNTIL_MEASURED = { width: 600, unit: 1 };
/** The size of text that charts are drawn for, in pixels. */
const USUAL_TEXT = 16;

interface ChartSize {
  /** Width of the chart in pixels. */
  readonly width: number;
  /** How much larger than usual the reader's text is: heights, margins and gaps grow with it. */
  readonly unit: number;
  readonly measure: (element: Element | null) => (() => void) | undefined;
}

/** Size of a chart, kept up to date: charts are drawn in real pixels, so that their words stay readable. */
export function useChartSize(): ChartSize {
  const [size, setSize] = useState(UNTIL_MEASURED);
  const measure = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined || entry.contentRect.width === 0) return;
      const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
      setSize({ width: Math.round(entry.contentRect.width), unit: text / USUAL_TEXT });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ...size, measure };
}
