import { LRUCache } from 'lru-cache';
import { WINDOW_TURNS } from '@parley/shared/engine';
import type { SessionRow, SpokenTurn } from '@parley/shared/store';

/** Sessions that are kept; with their last turns they need about a megabyte. */
const KEPT_SESSIONS = 256;

interface ReadySession {
  readonly session: SessionRow;
  /** The last twelve turns. */
  readonly spoken: readonly SpokenTurn[];
}

/**
 * Sessions as their last turn left them, so that the next one need not read them from the database again: this process
 * alone changes a session that is being played. The commit compares the stored version all the same, so what is kept here
 * can be out of date without harm; whoever changes a session in another way than by a turn forgets it.
 */
export class ReadySessions {
  private readonly kept = new LRUCache<string, ReadySession>({ max: KEPT_SESSIONS });

  /** @param isAlone whether no other process plays these sessions: the row must be read, otherwise, to know where it stands. */
  constructor(private readonly isAlone: boolean) {}

  /** null: it must be read. */
  session(id: string): SessionRow | null {
    return this.isAlone ? (this.kept.get(id)?.session ?? null) : null;
  }

  /** What was said last in the session as it stands in this row; null: it must be read. */
  spoken(session: SessionRow): readonly SpokenTurn[] | null {
    const known = this.kept.get(session.id);
    return known?.session.version === session.version ? known.spoken : null;
  }

  /** After the commit. A session that goes on is kept; one that has ended is not. */
  keep(session: SessionRow, spoken: readonly SpokenTurn[]): void {
    this.kept.delete(session.id);
    if (session.flow_state !== 'PlayerTurnListening') return;
    this.kept.set(session.id, { session, spoken: spoken.slice(-WINDOW_TURNS) });
  }

  forget(id: string): void {
    this.kept.delete(id);
  }

  forgetAll(): void {
    this.kept.clear();
  }
}
