import { WINDOW_TURNS, withoutReasons } from '@parley/shared/engine';
import { MAX_VARIANTS, ServiceError, type TurnAnswer } from '@parley/shared/contracts';
import { appendEvents, insertKeptAnswer, listTurns, supersedeEvents, type SessionRow } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { answerView, requireSession, turnText } from '../sessions/session-view';
import { answerLine } from '../turn/answer-line';
import { attemptTurn, requireChannel } from '../turn/attempt-turn';
import { rebuildAnswer, type AnswerPlace, type KeptAnswer } from '../turn/idempotency';
import { npcRow, storedJudgement } from '../turn/turn-rows';
import { commitAnswer, hasLeft, type AnswerToCommit } from './commit-answer';
import { notNow, requireLastAnswer, sessionBefore, type LastAnswer } from './last-answer';

export interface RegenerateRequest {
  readonly sessionId: string;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
}

/** What is kept under an Idempotency-Key: everything but the texts, which lie with the turns. */
interface Kept {
  readonly place: AnswerPlace;
  readonly answer: KeptAnswer;
}

type Keep = (place: AnswerPlace) => NonNullable<AnswerToCommit['keep']>;

/**
 * The last answer of the character is put aside, and the same words of the player are answered anew from the state before
 * them. One turn of a session runs at a time, this one included.
 * @throws ServiceError as the route names them; a failed call leaves no trace but its `error` on the socket.
 */
export async function regenerate(context: SessionApiContext, request: RegenerateRequest): Promise<TurnAnswer> {
  const { sessionId, idempotencyKey: key } = request;
  let given: TurnAnswer | undefined;
  const { body } = await context.answers.once(
    { operation: 'regenerate', key, params: { id: sessionId }, request: {} },
    async (toKeep) => {
      let kept: Kept | undefined;
      const keep: Keep = (place) => async (transaction, answer) => {
        kept = { place, answer };
        const row = toKeep({ status: 200, body: kept });
        if (row !== null) await insertKeptAnswer(transaction, row, sessionId);
      };
      given = await context.turns.run(sessionId, null, '', (signal) => claimed(context, request, keep, signal));
      return { status: 200, body: kept };
    },
  );
  if (given !== undefined) return given;
  const { place, answer } = body as Kept;
  return rebuildAnswer(context, await requireSession(context.database, sessionId), place, answer);
}

/** From here on nobody else takes a turn of this session. */
async function claimed(
  context: SessionApiContext,
  request: RegenerateRequest,
  keep: Keep,
  signal: AbortSignal,
): Promise<TurnAnswer> {
  const session = await requireSession(context.database, request.sessionId);
  const last = await requireLastAnswer(context, session, 'regenerate');
  if (last.answers.length >= MAX_VARIANTS)
    throw notNow(
      session,
      'regenerate',
      `These words were answered ${MAX_VARIANTS} times. Choose one of the answers and go on from it.`,
    );
  const text = turnText(context, session, last.player);
  if (text === null)
    throw new ServiceError(
      'TRANSCRIPT_NOT_SAVED',
      'The text of this session was not kept, so the character cannot answer it again.',
    );
  const channel = await requireChannel(context, session.id);
  return attemptTurn(context, channel, () =>
    answerAnew(context, { session, last, text, channel, keep, signal, requestId: request.requestId }),
  );
}

interface Again {
  readonly session: SessionRow;
  readonly last: LastAnswer;
  readonly text: string;
  readonly channel: SessionChannel;
  readonly keep: Keep;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

async function answerAnew(context: SessionApiContext, again: Again): Promise<TurnAnswer> {
  const { session, last, text, channel, keep, signal, requestId } = again;
  const { scenario_id: scenario, scenario_version: version, language } = session;
  const content = await context.scenarios.version(scenario, version, language, requestId);
  const before = await sessionBefore(context, session, content);
  const spoken = await listTurns(context.database, session.id, {
    upTo: before.turn_count,
    last: WINDOW_TURNS,
  });
  const putAside = last.answers.map(({ turn }) => answerView(context, session, turn).text ?? '');
  const line = { session: before, spoken, text, channel, requestId, signal, putAside };
  const { outcome, raw } = await answerLine(context, line);
  const index = session.turn_count;
  const variant = last.answers.length + 1;
  const npc = npcRow(session, outcome, raw, {
    turn_index: index,
    variant,
    variants: variant,
    created_at: context.now().toISOString(),
  });
  const caused = outcome.events.filter(({ kind }) => kind !== 'ending' || !hasLeft(session));
  return commitAnswer(context, {
    session,
    last,
    channel,
    signal,
    answer: { turn: npc, judgement: storedJudgement(session, outcome.judgement) },
    text: outcome.utterance,
    state: outcome.state,
    ending: outcome.ending,
    messages: outcome.messages,
    storeEvents: async (transaction, at) => {
      await supersedeEvents(transaction, session.id, index);
      const told = session.transcript_saved ? caused : withoutReasons(caused);
      await appendEvents(transaction, session.id, told, at, variant);
    },
    keep: keep({ turn_index: last.player.turn_index, variant, variants: variant }),
    keepInMemory: () => context.unsaved.addAnswer(session.id, index, outcome),
  });
}
