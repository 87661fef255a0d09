import type { EmittedMessage, StoredEvent, Turn, TurnAnswer } from '@parley/shared/contracts';
import type { Happening, PendingTurn, PlayState } from './play-ports';

/** Turns by their index: what came last wins, so that a repeated answer adds nothing. */
export function mergeTurns(known: readonly Turn[], more: readonly Turn[]): Turn[] {
  const byIndex = new Map([...known, ...more].map((turn) => [turn.index, turn]));
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

/** The state after a turn that was answered. */
export function afterTurn(play: PlayState, answer: TurnAnswer): PlayState {
  const happenings = answer.events.flatMap((event) => happeningOf(event, answer.npc_turn.index));
  return {
    session: answer.session,
    turns: mergeTurns(play.turns, [answer.player_turn, answer.npc_turn]),
    happenings: [...play.happenings.filter((one) => one.turn !== answer.npc_turn.index), ...happenings],
    lastDelta: answer.events.find((event) => event.type === 'scenario.state_delta')?.payload.delta ?? {},
  };
}

/** What stored events have to show: narrations, redirects, and what the last turn changed. */
export function fromStoredEvents(events: readonly StoredEvent[]): Pick<PlayState, 'happenings' | 'lastDelta'> {
  let lastDelta: Readonly<Record<string, number>> = {};
  const happenings: Happening[] = [];
  for (const event of events) {
    const turn = event.turn_index ?? 0;
    if (event.kind === 'state_delta') lastDelta = event.payload.delta;
    if (event.kind === 'scenario_event' && event.payload.narration !== null)
      happenings.push({ turn, kind: 'event', text: event.payload.narration });
    if (event.kind === 'safety_redirect') happenings.push({ turn, kind: 'redirect', text: null });
  }
  return { happenings, lastDelta };
}

function happeningOf(event: EmittedMessage, turn: number): Happening[] {
  if (event.type === 'scenario.event' && event.payload.narration !== null)
    return [{ turn, kind: 'event', text: event.payload.narration }];
  return event.type === 'safety.redirect' ? [{ turn, kind: 'redirect', text: null }] : [];
}

/** Whether a turn that was sent is among the stored ones by now: another tab may have added turns of its own. */
export function isRecorded(pending: PendingTurn, play: PlayState): boolean {
  const since = play.turns.filter((turn) => turn.role === 'player' && turn.index > pending.turnCount);
  // The text of a session that is not saved may be gone: then the number of turns has to do.
  return since.some((turn) => turn.text === null || turn.text === pending.text);
}

/**
 * The turn of the character from which a fork lets the player say turn `index` again: for a turn of the player the one
 * before it, for a turn of the character that turn itself; null when there is none, or when it ended the session.
 */
export function retryPoint(turns: readonly Turn[], index: number, ended: boolean): number | null {
  const characterTurns = turns.filter((turn) => turn.role === 'npc').map((turn) => turn.index);
  const open = ended ? characterTurns.slice(0, -1) : characterTurns;
  return open.filter((one) => one <= index).at(-1) ?? null;
}
