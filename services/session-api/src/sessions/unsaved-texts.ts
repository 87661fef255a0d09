import type { Debrief } from '@parley/shared/contracts';
import type { TurnOutcome } from '@parley/shared/engine';

/** How long after its end the text of a session that is not saved stays in memory. */
const KEPT_AFTER_END_MS = 30 * 60 * 1000;

interface Note {
  readonly turn: number;
  readonly dimension: string;
  readonly note: string;
}

/** What one answer of the character brought with it. */
interface UnsavedAnswer {
  readonly text: string | null;
  readonly reason: string | null;
  readonly notes: readonly Note[];
}

interface UnsavedSession {
  /** Whether everything that was said so far is here: not so when an earlier process took the beginning with it. */
  readonly whole: boolean;
  readonly texts: Map<number, string>;
  /** Why a turn was redirected, by the player's turn. */
  readonly reasons: Map<number, string>;
  notes: Note[];
  /** Answers that were put aside, by their turn and their number. */
  readonly aside: Map<string, UnsavedAnswer>;
  debrief: Debrief | null;
  expiry: NodeJS.Timeout | null;
}

const place = (index: number, variant: number): string => `${index}.${variant}`;

/**
 * Texts of the sessions whose transcript is not saved: in this process's memory and nowhere else. A restart loses them,
 * never the session.
 */
export class UnsavedTexts {
  private readonly sessions = new Map<string, UnsavedSession>();

  private open(sessionId: string, whole: boolean): UnsavedSession {
    const session: UnsavedSession = {
      whole,
      texts: new Map(),
      reasons: new Map(),
      notes: [],
      aside: new Map(),
      debrief: null,
      expiry: null,
    };
    this.sessions.set(sessionId, session);
    return session;
  }

  /** Adds a turn's text. After a restart what is said from then on is kept: the character must not forget it at once. */
  addText(sessionId: string, index: number, text: string): void {
    (this.sessions.get(sessionId) ?? this.open(sessionId, index === 1)).texts.set(index, text);
  }

  /** Adds an answer of the character with what its model noted about the player's turn before it. */
  addAnswer(
    sessionId: string,
    index: number,
    answer: Pick<TurnOutcome, 'utterance' | 'observations' | 'safety'>,
  ): void {
    this.addText(sessionId, index, answer.utterance);
    const turn = index - 1;
    const session = this.sessions.get(sessionId);
    session?.notes.push(...answer.observations.map(({ dimension, note }) => ({ turn, dimension, note })));
    const { action, reason } = answer.safety ?? {};
    // A stop has no message that would tell of its reason.
    if (reason != null && (action === 'redirect' || action === 'refuse')) session?.reasons.set(turn, reason);
  }

  reason(sessionId: string, turn: number): string | null {
    return this.sessions.get(sessionId)?.reasons.get(turn) ?? null;
  }

  text(sessionId: string, index: number): string | null {
    return this.sessions.get(sessionId)?.texts.get(index) ?? null;
  }

  /**
   * The answer in this turn of the character is put aside under its number, with the notes and the reason that it brought;
   * another one takes its place, or an earlier one is brought back.
   */
  putAside(sessionId: string, index: number, variant: number): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const player = index - 1;
    session.aside.set(place(index, variant), {
      text: session.texts.get(index) ?? null,
      reason: session.reasons.get(player) ?? null,
      notes: session.notes.filter(({ turn }) => turn === player),
    });
    session.texts.delete(index);
    session.reasons.delete(player);
    session.notes = session.notes.filter(({ turn }) => turn !== player);
  }

  /** The counterpart of putAside; what is gone stays gone. */
  bringBack(sessionId: string, index: number, variant: number): void {
    const session = this.sessions.get(sessionId);
    const answer = session?.aside.get(place(index, variant));
    if (session === undefined || answer === undefined) return;
    session.aside.delete(place(index, variant));
    if (answer.text !== null) session.texts.set(index, answer.text);
    if (answer.reason !== null) session.reasons.set(index - 1, answer.reason);
    session.notes.push(...answer.notes);
  }

  /** Text of one answer in a turn of the character and why it redirected, whether it stands or was put aside. */
  answer(sessionId: string, index: number, variant: number): { text: string | null; reason: string | null } {
    return (
      this.sessions.get(sessionId)?.aside.get(place(index, variant)) ?? {
        text: this.text(sessionId, index),
        reason: this.reason(sessionId, index - 1),
      }
    );
  }

  /** What the debrief is written from; null when it is gone, or a part of it: half a talk would tell another story. */
  memoryOf(sessionId: string): {
    turns: { index: number; text: string }[];
    notes: Note[];
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
    session.notes = [];
    session.aside.clear();
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

  /** The ending was undone: the texts stay as long as the talk goes on. */
  goesOn(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.expiry === null) return;
    clearTimeout(session.expiry);
    session.expiry = null;
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
