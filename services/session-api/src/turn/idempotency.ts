import { ServiceError, type EmittedMessage, type Session, type TurnAnswer } from '@parley/shared/contracts';
import type { TurnOutcome } from '@parley/shared/engine';
import { findTurnKey, listTurns, type SessionRow, type TurnKey } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { turnView } from '../sessions/session-view';

/** What is kept of an answer: all but conversation text, which a repeat takes from the turns. */
interface KeptAnswer {
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

export const keptAnswer = (session: Session, outcome: TurnOutcome, saved: boolean): KeptAnswer => ({
  session,
  events: outcome.messages.map((message) => withoutText(message, saved)),
  used_fallback: outcome.used_fallback,
});

/** The same key came with another text before. */
export const keyOfOtherText = (): ServiceError =>
  new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another text; use a new key for a new turn.',
  );

async function rebuild(context: SessionApiContext, session: SessionRow, kept: TurnKey): Promise<TurnAnswer> {
  const answer = kept.answer as KeptAnswer;
  const rows = await listTurns(context.database.knex, session.id, { from: kept.turn_index, upTo: kept.turn_index + 1 });
  const [player, npc] = rows.map((row) => turnView(context, session, row));
  const reason = context.unsaved.reason(session.id, kept.turn_index);
  if (player === undefined || npc === undefined) throw new Error('a kept answer has lost its turns');
  const events = answer.events.map((message) => withTextAgain(message, npc.text, reason));
  return { session: answer.session, player_turn: player, npc_turn: npc, events, used_fallback: answer.used_fallback };
}

/**
 * The answer that was given under this key before; null when the key is new to the session, or its turn failed and so
 * freed it.
 * @throws ServiceError IDEMPOTENCY_KEY_REUSED when the key came with another text.
 */
export async function keptAnswerOf(
  context: SessionApiContext,
  session: SessionRow,
  key: string,
  text: string,
): Promise<TurnAnswer | null> {
  const kept = await findTurnKey(context.database.knex, session.id, key);
  if (kept === null) return null;
  if (!context.digests.mayBe(session, kept.text_hash, text)) throw keyOfOtherText();
  return rebuild(context, session, kept);
}
