import type { EmittedMessage, StoredEvent, Turn, TurnAnswer } from '@parley/shared/contracts';
import { MAX_VARIANTS, RESOURCE_OFFER } from '../client/route-paths';
import type { Happening, PendingTurn, PlayState } from './play-ports';

/** Turns by their index: what came last wins, so that a repeated answer adds nothing. */
export function mergeTurns(known: readonly Turn[], more: readonly Turn[]): Turn[] {
  const byIndex = new Map([...known, ...more].map((turn) => [turn.index, turn]));
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

/** Whether what was fetched is older than what is known: a turn, or another answer, has come meanwhile. */
export function isOlder(fetched: PlayState, known: PlayState): boolean {
  const answersOf = ({ turns }: PlayState): number => turns.at(-1)?.variants ?? 1;
  const ahead = known.session.turn_count - fetched.session.turn_count;
  return ahead > 0 || (ahead === 0 && answersOf(known) > answersOf(fetched));
}

/**
 * The answer of the character that may still be changed for another one: the last turn, until something is said after it,
 * the player has left, or the debrief was begun.
 */
export function changeableAnswer({ session, turns }: PlayState): Turn | null {
  const last = turns.at(-1);
  const isOpen = session.flow_state === 'PlayerTurnListening' || session.flow_state === 'Ended';
  if (!isOpen || session.ending_type === 'player_exit') return null;
  return last?.role === 'npc' && last.index > 1 ? last : null;
}

/** Whether that answer can be asked for again: not more often than the service allows, and only while the words are known. */
export function canAskAgain(play: PlayState): boolean {
  const answer = changeableAnswer(play);
  return answer !== null && (answer.variants ?? 1) < MAX_VARIANTS && play.turns.at(-2)?.text != null;
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
    // It came with an answer that was put aside.
    if (event.superseded === true) continue;
    const turn = event.turn_index ?? 0;
    if (event.kind === 'state_delta') lastDelta = event.payload.delta;
    if (event.kind === 'scenario_event' && event.payload.narration !== null)
      happenings.push({ turn, kind: 'event', text: event.payload.narration });
    if (event.kind === 'safety_redirect') happenings.push(redirected(event.payload.reason, turn));
  }
  return { happenings, lastDelta };
}

function happeningOf(event: EmittedMessage, turn: number): Happening[] {
  if (event.type === 'scenario.event' && event.payload.narration !== null)
    return [{ turn, kind: 'event', text: event.payload.narration }];
  return event.type === 'safety.redirect' ? [redirected(event.payload.reason, turn)] : [];
}

/** A reason may be a model's words: only the help that Parley itself offers is shown, and then the talk was not steered. */
const redirected = (reason: string | null, turn: number): Happening =>
  reason === RESOURCE_OFFER ? { turn, kind: 'help', text: RESOURCE_OFFER } : { turn, kind: 'redirect', text: null };

/** Whether an utterance on the socket is not among the turns: a later one, or another answer in the place of the last. */
export function isNewAnswer(final: { turn: number; content: string | null }, turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  const isOther = final.turn === last?.index && final.content !== null && final.content !== last.text;
  return final.turn > (last?.index ?? 0) || isOther;
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
