/**
 * Places for labels that want to stand at the given heights without covering each other: the order is kept, neighbours
 * are at least `gap` apart, and all stay between `top` and `bottom` as long as there is room.
 */
export function spreadLabels(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = new Array<number>(wanted.length).fill(0);
  let next = top;
  for (const at of order) {
    placed[at] = Math.max(wanted[at] ?? 0, next);
    next = (placed[at] ?? 0) + gap;
  }
  let limit = bottom;
  for (const at of order.toReversed()) {
    placed[at] = Math.min(placed[at] ?? 0, limit);
    limit = (placed[at] ?? 0) - gap;
  }
  return placed;
}
