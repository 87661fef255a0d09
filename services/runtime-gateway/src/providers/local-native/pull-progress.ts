import type { PullProgress } from '../provider';

const countOr = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.round(value) : 0);

/**
 * Adds up the progress of a pull: the server reports every layer on its own, by digest, and some more than once.
 */
export class PullSum {
  private readonly layers = new Map<string, { completed: number; total: number }>();
  private isVerifying = false;

  /** Takes one object of the pull's stream and answers the sum over all layers known so far. */
  add(object: Readonly<Record<string, unknown>>): PullProgress {
    const { digest, status } = object;
    if (typeof digest === 'string' && digest !== '') {
      const before = this.layers.get(digest);
      this.layers.set(digest, {
        completed: Math.max(before?.completed ?? 0, countOr(object['completed'])),
        total: Math.max(before?.total ?? 0, countOr(object['total'])),
      });
    }
    if (typeof status === 'string' && /^(verifying|writing|removing|success)/.test(status)) this.isVerifying = true;
    const layers = [...this.layers.values()];
    const total = layers.reduce((sum, layer) => sum + layer.total, 0);
    return {
      phase: this.isVerifying ? 'verifying' : 'downloading',
      bytes_done: layers.reduce((sum, layer) => sum + Math.min(layer.completed, layer.total), 0),
      bytes_total: total === 0 ? null : total,
    };
  }
}
