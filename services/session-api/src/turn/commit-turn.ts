import type { Session, TurnAnswer } from '@parley/shared/contracts';
import type { TurnOutcome } from '@parley/shared/engine';
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
import type { Needs } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { settledAttempt } from '../sessions/attempt';
import { redact } from '../sessions/redact';
import { sessionView, turnView } from '../sessions/session-view';
import { keptAnswer } from './idempotency';
import type { TurnPlace } from './running-turns';
import { turnOvertaken } from './turn-errors';
import { npcRow } from './turn-rows';

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
  /** Lost while the turn ran: then nothing is stored. */
  readonly place: TurnPlace;
}

type CommitContext = Needs<'now' | 'database' | 'unsaved' | 'ready' | 'summaries' | 'hub' | 'scenarios'>;

function nextRow(context: Pick<CommitContext, 'hub'>, turn: TurnToCommit, at: string): SessionRow {
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

/** Both turns as they are stored: without what was said or noted when the transcript is not saved. */
function rowsOf({ session, text, outcome, raw }: TurnToCommit, created_at: string): { player: TurnRow; npc: TurnRow } {
  const turn_index = session.turn_count + 1;
  const first = { variant: 1, variants: 1, created_at };
  const player: TurnRow = {
    ...first,
    turn_index,
    role: 'player',
    text: redact(session).text(text),
    emotion: null,
    used_fallback: false,
    raw_output: null,
    observations: null,
    judgement: redact(session).judgement(outcome.judgement),
  };
  return { player, npc: npcRow(session, outcome, raw, { ...first, turn_index: turn_index + 1 }) };
}

/**
 * Step 8 of the turn: everything that the turn changes, in one transaction that begins by giving the turn's claim up and comparing
 * and swapping the session's version. When it returns, the turn is on disk; when it throws, nothing of it is.
 * @throws ServiceError TURN_ABORTED when the session was changed or deleted meanwhile; SERVICE_UNAVAILABLE.
 */
export async function commitTurn(context: CommitContext, turn: TurnToCommit): Promise<TurnAnswer> {
  const { session, text, outcome } = turn;
  const at = context.now().toISOString();
  const played = nextRow(context, turn, at);
  const saved = session.transcript_saved;
  const { player, npc } = rowsOf(turn, at);
  const { turn_index: index } = player;
  await context.unsaved.shelve(session, {
    player: { index, text },
    answer: { ...outcome, index: npc.turn_index, variant: 1 },
  });
  const { row, view } = await context.database.write(async (transaction) => {
    await turn.place.confirm(transaction);
    const row =
      played.ending_type === null ? played : { ...played, attempt: await settledAttempt(transaction, session) };
    const view: Session = sessionView(context, row);
    if (!(await saveSession(transaction, row, session))) {
      context.ready.forget(session.id);
      throw turnOvertaken();
    }
    await appendTurns(transaction, session.id, [player, npc]);
    if (saved) await indexTurns(transaction, session, [player, npc]);
    if (turn.key !== null) {
      const { key, textHash: text_hash } = turn.key;
      const kept = { key, text_hash, turn_index: index, answer: keptAnswer(view, outcome, saved) };
      await insertTurnKey(transaction, session.id, kept, at);
    }
    await appendEvents(transaction, session.id, redact(session).events(outcome.events), at);
    return { row, view };
  });
  context.ready.keep(row, [...turn.spoken, spokenPart(player), spokenPart(npc)]);
  if (row.flow_state === 'Ended') context.summaries.forget(session.id);
  if (!saved) {
    context.unsaved.addText(session.id, index, text);
    context.unsaved.addAnswer(session.id, npc.turn_index, outcome);
    if (row.flow_state === 'Ended') context.unsaved.ended(session.id);
  }
  return {
    session: view,
    player_turn: turnView(context, row, player),
    npc_turn: turnView(context, row, npc),
    events: outcome.messages,
    used_fallback: outcome.used_fallback,
  };
}
