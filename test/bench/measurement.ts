/** A row of the report: what was measured, against what, and what it must not exceed (or must reach). */
export interface Measurement {
  readonly name: string;
  readonly ours: number;
  readonly baseline: number;
  readonly unit: string;
  /** ours / baseline. */
  readonly ratio: number;
  /** The goal of the ratio; null when the row only informs. */
  readonly goal: { readonly kind: 'at_most' | 'at_least'; readonly ratio: number } | null;
}

export const measurement = (
  name: string,
  unit: string,
  ours: number,
  baseline: number,
  goal: Measurement['goal'] = null,
): Measurement => ({ name, unit, ours, baseline, ratio: ours / baseline, goal });

export const reached = ({ ratio, goal }: Measurement): boolean =>
  goal === null || (goal.kind === 'at_most' ? ratio <= goal.ratio : ratio >= goal.ratio);

/** The value below which this part of the samples lies. @param part 0.5 for the median */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
