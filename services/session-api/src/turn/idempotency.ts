import type { EmittedMessage, Session, TurnAnswer } from '@parley/shared/contracts';
import type { TurnOutcome } from '@parley/shared/engine';
import { findTurn, findTurnKey, listAnswers, type SessionRow } from '@parley/shared/store';
import type { Needs } from '../context';
import { answerView, turnView } from '../sessions/session-view';
import { keyOfOtherText } from './turn-errors';

/** What is kept of an answer: all but conversation text, which a repeat takes from the turns. */
export interface KeptAnswer {
  readonly session: Session;
  readonly events: EmittedMessage[];
  readonly used_fallback: boolean;
}

function withoutText(message: EmittedMessage, saved: boolean): EmittedMessage {
  if (message.type === 'npc.final') return { ...message, payload: { ...message.payload, content: null } };
  if (message.type === 'safety.redirect' && !saved) return { ...message, payload: { reason: null } };
  return message;
}

function withTextAgain(message: EmittedMessage, content: string | null, reason: string | null): EmittedMessage {
  if (message.type === 'npc.final') return { ...message, payload: { ...message.payload, content } };
  if (message.type === 'safety.redirect' && message.payload.reason === null) return { ...message, payload: { reason } };
  return message;
}

export const keptAnswer = (
  session: Session,
  outcome: Pick<TurnOutcome, 'messages' | 'used_fallback'>,
  saved: boolean,
): KeptAnswer => ({
  session,
  events: outcome.messages.map((message) => withoutText(message, saved)),
  used_fallback: outcome.used_fallback,
});

/** What names one answer of the character: the player's turn before it and its own number. */
export interface AnswerPlace {
  readonly turn_index: number;
  readonly variant: number;
  /** How many answers there were when it was given. */
  readonly variants: number;
}

/** The answer to a call as it was given, made again from what was kept of it and the turns. */
export async function rebuildAnswer(
  context: Needs<'database' | 'unsaved'>,
  session: SessionRow,
  place: AnswerPlace,
  kept: KeptAnswer,
): Promise<TurnAnswer> {
  const { database } = context;
  const player = await findTurn(database, session.id, place.turn_index);
  const answers = await listAnswers(database, session.id, place.turn_index + 1);
  const given = answers.find(({ turn }) => turn.variant === place.variant)?.turn;
  if (player === null || given === undefined) throw new Error('a kept answer has lost its turns');
  const { reason } = context.unsaved.answer(session.id, given.turn_index, given.variant);
  const npc = answerView(context, session, { ...given, variants: place.variants });
  return {
    session: kept.session,
    player_turn: turnView(context, session, player),
    npc_turn: npc,
    events: kept.events.map((message) => withTextAgain(message, npc.text, reason)),
    used_fallback: kept.used_fallback,
  };
}

/**
 * The answer that was given under this key before; null when the key is new to the session, or its turn failed and so
 * freed it.
 * @throws ServiceError IDEMPOTENCY_KEY_REUSED when the key came with another text.
 */
export async function keptAnswerOf(
  context: Needs<'database' | 'unsaved' | 'digests'>,
  session: SessionRow,
  key: string,
  text: string,
): Promise<TurnAnswer | null> {
  const kept = await findTurnKey(context.database, session.id, key);
  if (kept === null) return null;
  if (!context.digests.mayBe(session, kept.text_hash, text)) throw keyOfOtherText();
  const first = { turn_index: kept.turn_index, variant: 1, variants: 1 };
  return rebuildAnswer(context, session, first, kept.answer as KeptAnswer);
}
