import { Debrief } from '@parley/shared/contracts';
import { listTurns, type Queryable, type SessionRow } from '@parley/shared/store';
import type { z } from 'zod';
import type { TextShelf } from '../live/text-shelf';
import {
  DEBRIEF_FIELD,
  place,
  reasonOf,
  Shelved,
  shelfPlace,
  triedPlace,
  type Answered,
  type Note,
  type UnsavedSession,
  type WordsAhead,
} from './unsaved-words';

/** How long after its end the text of a session that is not saved stays in memory. */
const KEPT_AFTER_END_MS = 30 * 60 * 1000;

/**
 * Texts of the sessions whose transcript is not saved. In one process they are in its memory and nowhere else: a restart loses
 * them, never the session. Where several processes share a set they lie on a shelf, and what is here is as it was when an
 * operation began; which of them count, the database says.
 */
export class UnsavedTexts {
  private readonly sessions = new Map<string, UnsavedSession>();

  /** @param shelf null: this memory is all. */
  constructor(private readonly shelf: { readonly texts: TextShelf; readonly database: Queryable } | null = null) {}

  /** Has the words of a session at hand, whichever process heard them. @throws ServiceError SERVICE_UNAVAILABLE */
  async fetch(session: Pick<SessionRow, 'id' | 'transcript_saved'>): Promise<void> {
    if (this.shelf === null || session.transcript_saved) return;
    const { id } = session;
    // In this order: words are put on the shelf before their turn is stored.
    const turns = await listTurns(this.shelf.database, id);
    const shelved = await this.shelf.texts.all(id);
    const standing = new Set(turns.map(({ turn_index, role, variant }) => shelfPlace(role, turn_index, variant)));
    this.drop(id);
    const kept = this.open(id, turns.length > 0 && [...standing].every((field) => shelved.has(field)));
    const debrief = shelved.get(DEBRIEF_FIELD);
    if (debrief !== undefined) kept.debrief = Debrief.parse(JSON.parse(debrief));
    for (const { turn_index: index, role, variants } of turns) {
      const tried = shelved.get(triedPlace(index));
      if (tried !== undefined) kept.tried.set(index, tried);
      for (let variant = 1; variant <= variants; variant += 1) {
        const field = shelfPlace(role, index, variant);
        const text = shelved.get(field);
        if (text === undefined) continue;
        if (role === 'player') kept.texts.set(index, text);
        else this.addShelved(kept, index, variant, Shelved.parse(JSON.parse(text)), standing.has(field));
      }
    }
    this.expireLater(id, kept);
  }

  private addShelved(
    kept: UnsavedSession,
    index: number,
    variant: number,
    { text, reason, notes }: z.infer<typeof Shelved>,
    stands: boolean,
  ): void {
    const turn = index - 1;
    const ofTurn = notes.map((note) => ({ turn, ...note }));
    if (!stands) {
      kept.aside.set(place(index, variant), { text, reason, notes: ofTurn });
      return;
    }
    kept.texts.set(index, text);
    if (reason !== null) kept.reasons.set(turn, reason);
    kept.notes.push(...ofTurn);
  }

  /**
   * Puts on the shelf what is about to be stored as said: an answer that is acknowledged has its words. What is not stored after
   * all is passed over, and the next try takes its place.
   * @throws ServiceError SERVICE_UNAVAILABLE: nothing may be stored then
   */
  async shelve(session: Pick<SessionRow, 'id' | 'transcript_saved'>, { player, answer }: WordsAhead): Promise<void> {
    if (this.shelf === null || session.transcript_saved) return;
    const shelved: z.infer<typeof Shelved> = {
      text: answer.utterance,
      reason: reasonOf(answer),
      notes: answer.observations.map(({ dimension, note }) => ({ dimension, note })),
    };
    await this.shelf.texts.put(session.id, {
      ...(player === undefined ? {} : { [shelfPlace('player', player.index, 1)]: player.text }),
      [shelfPlace('npc', answer.index, answer.variant)]: JSON.stringify(shelved),
    });
  }

  private open(sessionId: string, whole: boolean): UnsavedSession {
    const session: UnsavedSession = {
      whole,
      texts: new Map(),
      reasons: new Map(),
      notes: [],
      aside: new Map(),
      tried: new Map(),
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
  addAnswer(sessionId: string, index: number, answer: Answered): void {
    this.addText(sessionId, index, answer.utterance);
    const turn = index - 1;
    const session = this.sessions.get(sessionId);
    session?.notes.push(...answer.observations.map(({ dimension, note }) => ({ turn, dimension, note })));
    const reason = reasonOf(answer);
    if (reason !== null) session?.reasons.set(turn, reason);
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

  triedText(sessionId: string, turn: number): string | null {
    return this.sessions.get(sessionId)?.tried.get(turn) ?? null;
  }

  /** A try of this turn was stored, without its words. Where they cannot be kept, a reply to them costs another try. */
  async addTried(sessionId: string, turn: number, text: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    session.tried.set(turn, text);
    await this.shelf?.texts.put(sessionId, { [triedPlace(turn)]: text }).catch(() => undefined);
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
  async keepDebrief(sessionId: string, debrief: Debrief | null): Promise<void> {
    this.putDebrief(sessionId, debrief);
    const fields = debrief === null ? {} : { [DEBRIEF_FIELD]: JSON.stringify(debrief) };
    await this.shelf?.texts.replace(sessionId, fields);
  }

  private putDebrief(sessionId: string, debrief: Debrief | null): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    session.texts.clear();
    session.reasons.clear();
    session.notes = [];
    session.aside.clear();
    session.tried.clear();
    session.debrief = debrief;
    this.expireLater(sessionId, session);
  }

  /** Puts another document in the place of the one that is kept, for as long as that would have stayed. */
  async replaceDebrief(sessionId: string, debrief: Debrief): Promise<void> {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.debrief === null) return;
    session.debrief = debrief;
    await this.shelf?.texts.replace(sessionId, { [DEBRIEF_FIELD]: JSON.stringify(debrief) });
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

  /** Takes the words of a session out of this process. */
  drop(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session?.expiry) clearTimeout(session.expiry);
    this.sessions.delete(sessionId);
  }

  /** Sessions of which words are in this process. */
  ids(): string[] {
    return [...this.sessions.keys()];
  }

  /** Sessions of which words are on the shelf. */
  async shelvedIds(): Promise<string[]> {
    return (await this.shelf?.texts.ids()) ?? [];
  }

  /** Takes the words of a session away for good. */
  async forget(sessionId: string): Promise<void> {
    this.drop(sessionId);
    await this.shelf?.texts.forget(sessionId);
  }
}
