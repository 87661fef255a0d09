import type { EndingReached, EngineState } from '@parley/shared/engine';
import type { EmittedMessage, TurnAnswer } from '@parley/shared/contracts';
import {
  replaceAnswer,
  saveSession,
  toTurn,
  type AnswerRow,
  type Transaction,
  type SessionRow,
} from '@parley/shared/store';
import type { Needs } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { settledAttempt } from '../sessions/attempt';
import { sessionView, stateMessage, turnView } from '../sessions/session-view';
import { keptAnswer, type KeptAnswer } from '../turn/idempotency';
import type { TurnPlace } from '../turn/running-turns';
import { turnOvertaken } from '../turn/turn-errors';
import type { LastAnswer } from './last-answer';

export interface AnswerToCommit {
  readonly session: SessionRow;
  readonly last: LastAnswer;
  readonly channel: SessionChannel;
  /** What stands from now on. */
  readonly answer: AnswerRow;
  /** Its text, which is not in the row of a session that is not saved; null when it is gone. */
  readonly text: string | null;
  /** After the answer. */
  readonly state: EngineState;
  /** What the answer leads to; passed over when the player has left. */
  readonly ending: EndingReached | null;
  /** What is told of the answer, in order. */
  readonly messages: readonly EmittedMessage[];
  readonly place: TurnPlace;
  /** Stores what the answer caused, after the events of the one before were marked. */
  readonly storeEvents: (transaction: Transaction, at: string) => Promise<void>;
  /** Keeps what a repeat of the call is answered with. */
  readonly keep?: (transaction: Transaction, kept: KeptAnswer) => Promise<void>;
  /** What is in memory only takes its place, too: with a session that is not saved, after the commit. */
  readonly keepInMemory: () => void;
}

type CommitNeeds = Needs<'now' | 'database' | 'hub' | 'scenarios' | 'ready' | 'prewarming' | 'unsaved'>;

/** The player's leaving was caused by no answer, so no answer undoes it. */
export const hasLeft = (session: SessionRow): boolean => session.ending_type === 'player_exit';

function nextRow(context: Needs<'hub'>, answer: AnswerToCommit, at: string): SessionRow {
  const { session, state, ending, channel } = answer;
  const flow = hasLeft(session)
    ? {}
    : {
        flow_state: ending === null ? ('PlayerTurnListening' as const) : ('Ended' as const),
        ending_type: ending?.type ?? null,
        ending_id: ending?.id ?? null,
        ended_at: ending === null ? null : at,
      };
  return {
    ...session,
    ...flow,
    state_vars: state.state_vars,
    flags: state.flags,
    engine_state: state,
    version: session.version + 1,
    seq_reserved: context.hub.seqToReserve(channel),
  };
}

/** `session.state` only where the state changes: an ending that comes, or one that is undone. */
function toldOf({ session, messages }: AnswerToCommit, row: SessionRow): EmittedMessage[] {
  if (hasLeft(session)) return messages.filter(({ type }) => type !== 'session.state');
  const undone = session.flow_state === 'Ended' && row.flow_state === 'PlayerTurnListening';
  return undone ? [...messages, stateMessage(row)] : [...messages];
}

/**
 * Puts an answer in the place of the last one, with the state and the ending that it leads to, in one transaction whose
 * first statement compares and swaps the session's version; then tells the sockets.
 * @throws ServiceError TURN_ABORTED when the session was changed or deleted meanwhile: then nothing is stored.
 */
export async function commitAnswer(context: CommitNeeds, answer: AnswerToCommit): Promise<TurnAnswer> {
  const { session, last, place } = answer;
  const { turn } = answer.answer;
  const at = context.now().toISOString();
  const played = nextRow(context, answer, at);
  const messages = toldOf(answer, played);
  const usedFallback = turn.used_fallback;
  const { row, view } = await context.database.write(async (transaction) => {
    await place.confirm(transaction);
    const row = hasLeft(session) ? played : { ...played, attempt: await settledAttempt(transaction, session) };
    const view = sessionView(context, row);
    if (!(await saveSession(transaction, row, session))) throw turnOvertaken();
    await replaceAnswer(transaction, session, last.standing, answer.answer);
    await answer.storeEvents(transaction, at);
    await answer.keep?.(
      transaction,
      keptAnswer(view, { messages, used_fallback: usedFallback }, session.transcript_saved),
    );
    return { row, view };
  });
  // What was said last is another thing now, for everybody who keeps it in memory.
  context.ready.forget(session.id);
  context.prewarming.forget(session.id);
  if (!session.transcript_saved) keepUnsaved(context, answer, row);
  for (const message of messages) answer.channel.publish(message);
  return {
    session: view,
    player_turn: turnView(context, row, last.player),
    npc_turn: { ...toTurn(turn), text: answer.text },
    events: messages,
    used_fallback: usedFallback,
  };
}

function keepUnsaved(
  context: Needs<'unsaved'>,
  { session, last, keepInMemory }: AnswerToCommit,
  row: SessionRow,
): void {
  const { turn_index: index, variant } = last.standing.turn;
  context.unsaved.putAside(session.id, index, variant);
  keepInMemory();
  if (row.flow_state === 'Ended') context.unsaved.ended(session.id);
  else context.unsaved.goesOn(session.id);
}
