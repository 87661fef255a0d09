import { ServiceError, type Session, type StoredEvent, type TurnAnswer } from '@parley/shared/contracts';
import { withoutReasons, type TurnOutcome } from '@parley/shared/engine';
import {
  appendEvents,
  appendTurns,
  indexTurns,
  insertTurnKey,
  saveSession,
  type SessionRow,
  type SpokenTurn,
  type TurnRow,
} from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { settledAttempt } from '../sessions/attempt';
import { sessionView, turnView } from '../sessions/session-view';
import { keptAnswer } from './idempotency';
import { npcRow, storedJudgement } from './turn-rows';

export interface TurnToCommit {
  readonly session: SessionRow;
  /** What was said before this turn, oldest first. */
  readonly spoken: readonly SpokenTurn[];
  readonly channel: SessionChannel;
  readonly text: string;
  readonly outcome: TurnOutcome;
  /** The model's whole answer; null when it gave none. */
  readonly raw: string | null;
  readonly key: { readonly key: string; readonly textHash: string } | null;
  /** Aborted while the turn ran: then nothing is stored. */
  readonly signal: AbortSignal;
}

export interface CommittedTurn {
  readonly session: SessionRow;
  readonly answer: TurnAnswer;
  readonly events: StoredEvent[];
}

function nextRow(context: SessionApiContext, turn: TurnToCommit, at: string): SessionRow {
  const { session, outcome, channel } = turn;
  const ended = outcome.ending !== null;
  return {
    ...session,
    flow_state: ended ? 'Ended' : 'PlayerTurnListening',
    state_vars: outcome.state.state_vars,
    flags: outcome.state.flags,
    engine_state: outcome.state,
    ending_type: outcome.ending?.type ?? null,
    ending_id: outcome.ending?.id ?? null,
    turn_count: session.turn_count + 2,
    player_turn_count: session.player_turn_count + 1,
    version: session.version + 1,
    seq_reserved: context.hub.seqToReserve(channel),
    ended_at: ended ? at : null,
  };
}

const spokenPart = ({ turn_index, role, text }: SpokenTurn): SpokenTurn => ({ turn_index, role, text });

/**
 * Step 8 of the turn: everything that the turn changes, in one transaction whose first statement compares and swaps the
 * session's version. When it returns, the turn is on disk; when it throws, nothing of it is.
 * @throws ServiceError TURN_ABORTED when the session was changed or deleted meanwhile.
 */
export async function commitTurn(context: SessionApiContext, turn: TurnToCommit): Promise<CommittedTurn> {
  const { session, text, outcome } = turn;
  const at = context.now().toISOString();
  const played = nextRow(context, turn, at);
  const saved = session.transcript_saved;
  const playerIndex = session.turn_count + 1;
  const player: TurnRow = {
    turn_index: playerIndex,
    role: 'player',
    text: saved ? text : null,
    emotion: null,
    used_fallback: false,
    raw_output: null,
    observations: null,
    judgement: storedJudgement(session, outcome.judgement),
    variant: 1,
    variants: 1,
    created_at: at,
  };
  const npc = npcRow(session, outcome, turn.raw, {
    turn_index: playerIndex + 1,
    variant: 1,
    variants: 1,
    created_at: at,
  });
  const { row, view, events } = await context.database.write(async (transaction) => {
    turn.signal.throwIfAborted();
    const row =
      played.ending_type === null ? played : { ...played, attempt: await settledAttempt(transaction, session) };
    const view: Session = sessionView(context, row);
    if (!(await saveSession(transaction, row, session))) {
      context.ready.forget(session.id);
      throw new ServiceError('TURN_ABORTED', 'The session was changed meanwhile and nothing of this turn was stored.');
    }
    await appendTurns(transaction, session.id, [player, npc]);
    if (saved) await indexTurns(transaction, session, [player, npc]);
    if (turn.key !== null)
      await insertTurnKey(
        transaction,
        session.id,
        {
          key: turn.key.key,
          text_hash: turn.key.textHash,
          turn_index: playerIndex,
          answer: keptAnswer(view, outcome, saved),
        },
        at,
      );
    const told = saved ? outcome.events : withoutReasons(outcome.events);
    return { row, view, events: await appendEvents(transaction, session.id, told, at) };
  });
  context.ready.keep(row, [...turn.spoken, spokenPart(player), spokenPart(npc)]);
  if (row.flow_state === 'Ended') context.summaries.forget(session.id);
  if (!saved) {
    context.unsaved.addText(session.id, playerIndex, text);
    context.unsaved.addAnswer(session.id, playerIndex + 1, outcome);
    if (row.flow_state === 'Ended') context.unsaved.ended(session.id);
  }
  const answer: TurnAnswer = {
    session: view,
    player_turn: turnView(context, row, player),
    npc_turn: turnView(context, row, npc),
    events: outcome.messages,
    used_fallback: outcome.used_fallback,
  };
  return { session: row, answer, events };
}
