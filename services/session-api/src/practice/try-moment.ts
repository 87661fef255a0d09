import {
  buildPrompt,
  debriefWords,
  judgeLine,
  pickDemoLine,
  precheckReply,
  summarisedUpTo,
  summaryUpTo,
} from '@parley/shared/engine';
import {
  RuntimeUnavailableError,
  ServiceError,
  type Drill,
  type FlowState,
  type TryAnswer,
} from '@parley/shared/contracts';
import { countTries, insertDrill, listDrills, TRIES_PER_MOMENT, type SessionRow } from '@parley/shared/store';
import type { Needs, SessionApiContext } from '../context';
import { redact } from '../sessions/redact';
import { requireSession, requireState, requireTalk, turnText } from '../sessions/session-view';
import { saidBefore } from '../turn/line-context';
import { normalisePlayerText } from '../turn/player-text';
import { answeredByPolicy, precheck } from '../turn/precheck';
import { streamReply } from '../turn/stream-reply';
import { recapOf } from '../turn/turn-prompt';
import { judgeTry, type JudgedTry } from './line-checks';
import { momentAt, type Moment } from './moment';

const AFTER_THE_END: readonly FlowState[] = ['Ended', 'DebriefReady'];

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
function nextThing({ checks, faults }: JudgedTry, language: string): string {
  const words = debriefWords(language);
  const [fault] = faults;
  if (fault !== undefined) return words.sayWithout(fault.text);
  return checks.find(({ verdict }) => verdict === 'missed')?.text ?? words.nothingMissing;
}

type Answered = Pick<TryAnswer, 'npc_text' | 'npc_emotion'>;

/**
 * How the character would have answered; the words go to the session's sockets as they come.
 * @throws ServiceError as a turn; TRANSCRIPT_NOT_SAVED when the talk is gone.
 */
async function replyAt(
  context: SessionApiContext,
  session: SessionRow,
  moment: Moment,
  text: string,
  request: TryRequestOf,
): Promise<Answered> {
  const { scenario, state, events } = moment;
  const { content } = scenario;
  const { difficulty, language } = session;
  const safety = precheck(context, content, text);
  if (answeredByPolicy(safety)) {
    const { npc_utterance: npc_text, npc_emotion } = precheckReply(content, safety);
    return { npc_text, npc_emotion };
  }
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
    scenario,
    difficulty,
    language,
    focus_dimension: session.focus_dimension,
    fence: session.fence,
    state,
    turns,
    summary: summaryUpTo({ content, language }, summarisedUpTo(request.turn - 1), { events, turns }),
    recap: await recapOf(context, session),
    player_text: text,
    context_length: await context.model.contextLength(),
    rubric_detail: context.fits.of(session.id),
  });
  const channel = await context.hub.channel(session.id);
  const reply = await streamReply(context, {
    sessionId: session.id,
    scenario,
    difficulty,
    cue: pickDemoLine({ ...moment.line, difficulty, state, text, judgement: judgeLine(moment.line, text) }),
    said: saidBefore(turns, text),
    prompt,
    requestId: request.requestId,
    signal: request.signal,
    onToken: (piece) => {
      if (!request.signal.aborted) channel?.publish({ type: 'npc.token', payload: { text: piece } });
    },
  });
  const { output } = reply.parsed;
  if (output === null)
    throw new RuntimeUnavailableError('The character had no usable answer this time; try again.', 'no_usable_answer');
  return { npc_text: output.npc_utterance, npc_emotion: output.npc_emotion };
}

/** Whether these are the words of the last try: then a reply to them is wanted, and no further try is used. */
async function isLastTry(
  { database, unsaved }: Needs<'database' | 'unsaved'>,
  { id, transcript_saved }: SessionRow,
  turn: number,
  text: string,
): Promise<boolean> {
  if (!transcript_saved) return unsaved.triedText(id, turn) === text;
  return (await listDrills(database, id)).findLast((drill) => drill.turn === turn)?.text === text;
}

/**
 * Judges one line in the state of a moment of an ended talk and stores it as a drill: no turn, no session, no attempt.
 * Three tries a moment; a reply to the words of the last try is part of that try.
 * @throws ServiceError TURN_INPUT_ERROR, SESSION_NOT_FOUND, INVALID_STATE, VALIDATION_ERROR, SERVICE_UNAVAILABLE; with a
 * reply also TRANSCRIPT_NOT_SAVED, RUNTIME_UNAVAILABLE, TURN_TIMEOUT: nothing is stored then.
 */
export async function tryMoment(context: SessionApiContext, request: TryRequestOf): Promise<TryAnswer> {
  const text = normalisePlayerText(request.text);
  const { database } = context;
  const session = await requireTalk(context, request.sessionId);
  requireState(session, 'try', AFTER_THE_END);
  if (request.turn >= session.turn_count) throw notSaid();
  const moment = await momentAt(context, session, request.turn, request.requestId);
  const isAgain = request.reply && (await isLastTry(context, session, request.turn, text));
  const usedBefore = await countTries(database, session.id, request.turn);
  if (usedBefore >= TRIES_PER_MOMENT && !isAgain) throw spent(session);
  const judged = judgeTry(moment, text, session.focus_dimension);
  const answered: Answered = request.reply
    ? await replyAt(context, session, moment, text, request)
    : { npc_text: null, npc_emotion: null };

  const checks = judged.checks.map(({ id, text: asks, verdict, evidence }) => ({ id, text: asks, verdict, evidence }));
  const used = await context.database.write(async (transaction) => {
    // The debrief may have been begun since, or the ending undone.
    requireState(await requireSession(transaction, session.id), 'try', AFTER_THE_END);
    if (isAgain) return usedBefore;
    const before = await countTries(transaction, session.id, request.turn);
    if (before >= TRIES_PER_MOMENT) throw spent(session);
    const drill: Drill = {
      turn: request.turn,
      try: before + 1,
      text: redact(session).text(text),
      checks: redact(session).checks(checks),
      created_at: context.now().toISOString(),
    };
    await insertDrill(transaction, session.id, drill);
    return drill.try;
  });
  if (!session.transcript_saved && !isAgain) await context.unsaved.addTried(session.id, request.turn, text);
  return {
    line: moment.line.line,
    checks,
    moves: judged.judgement.moves.map(({ id }) => id),
    next: nextThing(judged, moment.line.language),
    tries_left: TRIES_PER_MOMENT - used,
    ...answered,
  };
}

const notSaid = (): ServiceError =>
  new ServiceError('VALIDATION_ERROR', "The path does not match: turn: It must be one of the player's turns.", {
    details: { issues: [{ path: 'turn', message: "It must be one of the player's turns." }] },
  });
