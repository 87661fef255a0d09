import type { Debrief } from '@parley/shared/contracts';

/** How long after its end the text of a session that is not saved stays in memory. */
export const KEPT_AFTER_END_MS = 30 * 60 * 1000;

interface UnsavedSession {
  /** Whether everything that was said so far is here: not so when an earlier process took the beginning with it. */
  readonly whole: boolean;
  readonly texts: Map<number, string>;
  /** Why a turn was redirected, by the player's turn. */
  readonly reasons: Map<number, string>;
  readonly notes: { turn: number; dimension: string; note: string }[];
  debrief: Debrief | null;
  expiry: NodeJS.Timeout | null;
}

/**
 * Texts of the sessions whose transcript is not saved: in this process's memory and nowhere else. A restart loses them,
 * never the session.
 */
export class UnsavedTexts {
  private readonly sessions = new Map<string, UnsavedSession>();

  private open(sessionId: string, whole: boolean): UnsavedSession {
    const session = { whole, texts: new Map(), reasons: new Map(), notes: [], debrief: null, expiry: null };
    this.sessions.set(sessionId, session);
    return session;
  }

  /** Adds a turn's text. After a restart what is said from then on is kept: the character must not forget it at once. */
  addText(sessionId: string, index: number, text: string): void {
    (this.sessions.get(sessionId) ?? this.open(sessionId, index === 1)).texts.set(index, text);
  }

  addNotes(sessionId: string, turn: number, notes: readonly { dimension: string; note: string }[]): void {
    this.sessions.get(sessionId)?.notes.push(...notes.map(({ dimension, note }) => ({ turn, dimension, note })));
  }

  addReason(sessionId: string, turn: number, reason: string): void {
    this.sessions.get(sessionId)?.reasons.set(turn, reason);
  }

  reason(sessionId: string, turn: number): string | null {
    return this.sessions.get(sessionId)?.reasons.get(turn) ?? null;
  }

  text(sessionId: string, index: number): string | null {
    return this.sessions.get(sessionId)?.texts.get(index) ?? null;
  }

  /** What the debrief is written from; null when it is gone, or a part of it: half a talk would tell another story. */
  memoryOf(sessionId: string): {
    turns: { index: number; text: string }[];
    notes: { turn: number; dimension: string; note: string }[];
  } | null {
    const session = this.sessions.get(sessionId);
    if (session?.whole !== true) return null;
    return { turns: [...session.texts].map(([index, text]) => ({ index, text })), notes: session.notes };
  }

  debrief(sessionId: string): Debrief | null {
    return this.sessions.get(sessionId)?.debrief ?? null;
  }

  /** The debrief is ready: the texts go, the model's narrative stays for a while. */
  keepDebrief(sessionId: string, debrief: Debrief | null): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    session.texts.clear();
    session.reasons.clear();
    session.notes.length = 0;
    session.debrief = debrief;
    this.expireLater(sessionId, session);
  }

  /** Puts another document in the place of the one that is kept, for as long as that would have stayed. */
  replaceDebrief(sessionId: string, debrief: Debrief): void {
    const session = this.sessions.get(sessionId);
    if (session !== undefined && session.debrief !== null) session.debrief = debrief;
  }

  ended(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session !== undefined) this.expireLater(sessionId, session);
  }

  private expireLater(sessionId: string, session: UnsavedSession): void {
    if (session.expiry !== null) clearTimeout(session.expiry);
    session.expiry = setTimeout(() => this.sessions.delete(sessionId), KEPT_AFTER_END_MS);
    session.expiry.unref();
  }

  forget(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session?.expiry) clearTimeout(session.expiry);
    this.sessions.delete(sessionId);
  }

  forgetAll(): void {
    for (const id of [...this.sessions.keys()]) this.forget(id);
  }
}
