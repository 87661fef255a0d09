import { buildPrompt, judgeLine, pickDemoLine, summarisedUpTo } from '@parley/shared/engine';
import { ServiceError, type Drill, type FlowState, type TryAnswer } from '@parley/shared/contracts';
import { countTries, insertDrill, transact, TRIES_PER_MOMENT, type SessionRow } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { requireSession, requireState, turnText } from '../sessions/session-view';
import { normalisePlayerText } from '../turn/player-text';
import { streamReply } from '../turn/stream-reply';
import { recapOf } from '../turn/turn-prompt';
import { judgeTry, type JudgedTry } from './line-checks';
import { momentAt, type Moment } from './moment';

const AFTER_THE_END: readonly FlowState[] = ['Ended', 'DebriefReady'];
const ALL_THERE = 'Nothing is missing from this line. Play on from here to see where it leads.';

export interface TryRequestOf {
  readonly sessionId: string;
  /** Index of one of the player's turns. */
  readonly turn: number;
  readonly text: string;
  readonly reply: boolean;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

function spent(session: SessionRow): ServiceError {
  return new ServiceError(
    'INVALID_STATE',
    `This line was tried ${TRIES_PER_MOMENT} times. Play on from here, or try another line.`,
    { details: { flow_state: session.flow_state, operation: 'try', allowed_in: [...AFTER_THE_END] } },
  );
}

/** What to try next: what went wrong comes first, then the check that would gain most. */
function nextThing({ checks, faults }: JudgedTry): string {
  const [fault] = faults;
  if (fault !== undefined) return `Say it without this: ${fault.text}`;
  return checks.find(({ verdict }) => verdict === 'missed')?.text ?? ALL_THERE;
}

/** How the character would have answered. @throws ServiceError as a turn; TRANSCRIPT_NOT_SAVED when the talk is gone. */
async function replyAt(
  context: SessionApiContext,
  session: SessionRow,
  moment: Moment,
  text: string,
  request: TryRequestOf,
): Promise<string> {
  const { content, state, events } = moment;
  const { difficulty, language } = session;
  const turns = moment.turns.map((turn) => ({
    index: turn.turn_index,
    role: turn.role,
    text: turnText(context, session, turn),
  }));
  if (turns.some((turn) => turn.text === null))
    throw new ServiceError(
      'TRANSCRIPT_NOT_SAVED',
      'The text of this session was not kept, so the character cannot answer again.',
    );
  const prompt = buildPrompt({
    content,
    difficulty,
    language,
    focus_dimension: session.focus_dimension,
    fence: session.fence,
    state,
    turns,
    summary_events: events.filter((event) => (event.turn_index ?? 0) <= summarisedUpTo(request.turn - 1)),
    recap: await recapOf(context, session),
    player_text: text,
    context_length: await context.model.contextLength(),
    rubric_detail: context.fits.of(session.id),
  });
  const reply = await streamReply(context, {
    sessionId: session.id,
    content,
    difficulty,
    cue: pickDemoLine({ content, difficulty, language, state, judgement: judgeLine(moment.line, text) }),
    prompt,
    requestId: request.requestId,
    signal: request.signal,
    onToken: () => undefined,
  });
  const utterance = reply.parsed.output?.npc_utterance;
  if (utterance === undefined)
    throw new ServiceError('RUNTIME_UNAVAILABLE', 'The character had no usable answer this time; try again.');
  return utterance;
}

/**
 * Judges one line in the state of a moment of an ended talk and stores it as a drill: no turn, no session, no attempt.
 * Three tries a moment.
 * @throws ServiceError TURN_INPUT_ERROR, SESSION_NOT_FOUND, INVALID_STATE, VALIDATION_ERROR, SERVICE_UNAVAILABLE; with a
 * reply also TRANSCRIPT_NOT_SAVED, RUNTIME_UNAVAILABLE, TURN_TIMEOUT: nothing is stored then.
 */
export async function tryMoment(context: SessionApiContext, request: TryRequestOf): Promise<TryAnswer> {
  const text = normalisePlayerText(request.text);
  const { knex } = context.database;
  const session = await requireSession(knex, request.sessionId);
  requireState(session, 'try', AFTER_THE_END);
  if (request.turn >= session.turn_count) throw notSaid();
  const moment = await momentAt(context, session, request.turn, request.requestId);
  if ((await countTries(knex, session.id, request.turn)) >= TRIES_PER_MOMENT) throw spent(session);
  const judged = judgeTry(moment, text, session.focus_dimension);
  const npcText = request.reply ? await replyAt(context, session, moment, text, request) : null;

  const checks = judged.checks.map(({ id, text: asks, verdict, evidence }) => ({ id, text: asks, verdict, evidence }));
  const used = await transact(context.database, async (transaction) => {
    await requireSession(transaction, session.id);
    const before = await countTries(transaction, session.id, request.turn);
    if (before >= TRIES_PER_MOMENT) throw spent(session);
    const saved = session.transcript_saved;
    const drill: Drill = {
      turn: request.turn,
      try: before + 1,
      text: saved ? text : null,
      checks: saved ? checks : checks.map((check) => ({ ...check, evidence: null })),
      created_at: context.now().toISOString(),
    };
    await insertDrill(transaction, session.id, drill);
    return drill.try;
  });
  return {
    line: moment.line.line,
    checks,
    moves: judged.judgement.moves.map(({ id }) => id),
    next: nextThing(judged),
    tries_left: TRIES_PER_MOMENT - used,
    npc_text: npcText,
  };
}

const notSaid = (): ServiceError =>
  new ServiceError('VALIDATION_ERROR', "The path does not match: turn: It must be one of the player's turns.", {
    details: { issues: [{ path: 'turn', message: "It must be one of the player's turns." }] },
  });
