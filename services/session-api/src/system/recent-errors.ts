import type { ErrorCode } from '@parley/shared/contracts';

const KEPT = 50;

/** The last 50 errors that were answered, by code, for diagnostics. Codes and times only. */
export class RecentErrors {
  private readonly seen: { code: ErrorCode; at: string }[] = [];

  constructor(private readonly now: () => Date) {}

  add(code: ErrorCode): void {
    this.seen.push({ code, at: this.now().toISOString() });
    if (this.seen.length > KEPT) this.seen.shift();
  }

  byCode(): { code: string; count: number; last_at: string }[] {
    const counts = new Map<string, { code: string; count: number; last_at: string }>();
    for (const { code, at } of this.seen)
      counts.set(code, { code, count: (counts.get(code)?.count ?? 0) + 1, last_at: at });
    return [...counts.values()].sort((a, b) => b.last_at.localeCompare(a.last_at));
  }
}
