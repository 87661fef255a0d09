import type { PullProgress } from '../provider';

const countOr = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.round(value) : 0);

/**
 * Adds up the progress of a pull: the server reports every layer on its own, by digest, and some more than once.
 */
export class PullSum {
  private readonly layers = new Map<string, { completed: number; total: number }>();
  private completed = 0;
  private total = 0;
  private isVerifying = false;

  /** Takes one object of the pull's stream and answers the sum over all layers known so far. */
  add(object: Readonly<Record<string, unknown>>): PullProgress {
    const { digest, status } = object;
    if (typeof digest === 'string' && digest !== '') {
      const before = this.layers.get(digest) ?? { completed: 0, total: 0 };
      const after = {
        completed: Math.max(before.completed, countOr(object['completed'])),
        total: Math.max(before.total, countOr(object['total'])),
      };
      this.layers.set(digest, after);
      this.total += after.total - before.total;
      this.completed += Math.min(after.completed, after.total) - Math.min(before.completed, before.total);
    }
    if (typeof status === 'string' && /^(verifying|writing|removing|success)/.test(status)) this.isVerifying = true;
    return {
      phase: this.isVerifying ? 'verifying' : 'downloading',
      bytes_done: this.completed,
      bytes_total: this.total === 0 ? null : this.total,
    };
  }
}
