import { RESOURCE_OFFER, type EmittedMessage } from '@parley/shared/contracts';
import type { StoredEventLike } from './engine-state';

/**
 * A stored event as the message that after_seq=0 replays; null for kinds without one (safety_stop).
 *
 * @param textOfTurn text of a turn by index; null when it was not kept.
 */
export function storedEventMessage(
  event: StoredEventLike,
  textOfTurn: (index: number) => string | null,
): EmittedMessage | null {
  switch (event.kind) {
    case 'npc_opening':
    case 'npc_turn': {
      const turn = event.turn_index ?? 1;
      const { emotion, state_delta, event_flags } = event.payload;
      return { type: 'npc.final', payload: { turn, content: textOfTurn(turn), emotion, state_delta, event_flags } };
    }
    case 'state_delta':
      return { type: 'scenario.state_delta', payload: event.payload };
    case 'scenario_event':
      return { type: 'scenario.event', payload: event.payload };
    case 'safety_redirect':
      return { type: 'safety.redirect', payload: { reason: event.payload.reason } };
    case 'safety_stop':
      return null;
    case 'ending':
      return { type: 'session.state', payload: event.payload };
  }
}

/** Events as they are stored for a session without a transcript: reasons are left out, but for the one that is ours. */
export function withoutReasons<E extends StoredEventLike>(events: readonly E[]): E[] {
  return events.map((event) =>
    (event.kind === 'safety_redirect' || event.kind === 'safety_stop') && event.payload.reason !== RESOURCE_OFFER
      ? { ...event, payload: { ...event.payload, reason: null } }
      : event,
  );
}
