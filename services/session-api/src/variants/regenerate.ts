import { WINDOW_TURNS } from '@parley/shared/engine';
import { MAX_VARIANTS, ServiceError, type TurnAnswer, PLAY_ROUTES } from '@parley/shared/contracts';
import {
  appendEvents,
  findKeptAnswer,
  insertKeptAnswer,
  listTurns,
  supersedeEvents,
  type SessionRow,
} from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { redact } from '../sessions/redact';
import { answerView, requireTalk, turnText } from '../sessions/session-view';
import { answerLine } from '../turn/answer-line';
import { attemptTurn, requireChannel } from '../turn/attempt-turn';
import { rebuildAnswer, type AnswerPlace, type KeptAnswer } from '../turn/idempotency';
import type { TurnPlace } from '../turn/running-turns';
import { npcRow } from '../turn/turn-rows';
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
    { route: PLAY_ROUTES.regenerate, key, params: { id: sessionId }, request: {} },
    async (toKeep) => {
      let kept: Kept | undefined;
      const keep: Keep = (place) => async (transaction, answer) => {
        kept = { place, answer };
        const row = toKeep({ status: 200, body: kept });
        if (row !== null) await insertKeptAnswer(transaction, row, sessionId);
      };
      const shelf = toKeep({});
      // As a key of its own among those of turns: the same call elsewhere is waited for, and answered with what it has kept.
      const call = { sessionId, key: key === undefined ? null : `regenerate ${key}`, text: '' };
      given = await context.turns.run(call, async (place) => {
        // What was waited for elsewhere has kept its answer since.
        const earlier = shelf && (await findKeptAnswer(context.database, shelf.scope, shelf.key, shelf.created_at));
        return earlier === null
          ? claimed(context, request, keep, place)
          : givenBefore(context, sessionId, earlier.body);
      });
      return { status: 200, body: kept };
    },
  );
  if (given !== undefined) return given;
  return givenBefore(context, sessionId, body);
}

/** The answer that was kept under the key, with its texts. */
async function givenBefore(context: SessionApiContext, sessionId: string, body: unknown): Promise<TurnAnswer> {
  const { place, answer } = body as Kept;
  return rebuildAnswer(context, await requireTalk(context, sessionId), place, answer);
}

/** From here on nobody else takes a turn of this session. */
async function claimed(
  context: SessionApiContext,
  request: RegenerateRequest,
  keep: Keep,
  place: TurnPlace,
): Promise<TurnAnswer> {
  const session = await requireTalk(context, request.sessionId);
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
    answerAnew(context, { session, last, text, channel, keep, place, requestId: request.requestId }),
  );
}

interface Again {
  readonly session: SessionRow;
  readonly last: LastAnswer;
  readonly text: string;
  readonly channel: SessionChannel;
  readonly keep: Keep;
  readonly place: TurnPlace;
  readonly requestId: string;
}

async function answerAnew(context: SessionApiContext, again: Again): Promise<TurnAnswer> {
  const { session, last, text, channel, keep, place, requestId } = again;
  const { scenario_id: scenario, scenario_version: version, language } = session;
  const { content } = await context.scenarios.version(scenario, version, language, requestId);
  const before = await sessionBefore(context, session, content);
  const spoken = await listTurns(context.database, session.id, {
    upTo: before.turn_count,
    last: WINDOW_TURNS,
  });
  const putAside = last.answers.map(({ turn }) => answerView(context, session, turn).text ?? '');
  const line = { session: before, spoken, text, channel, requestId, signal: place.signal, putAside };
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
  await context.unsaved.shelve(session, { answer: { ...outcome, index, variant } });
  return commitAnswer(context, {
    session,
    last,
    channel,
    place,
    answer: { turn: npc, judgement: redact(session).judgement(outcome.judgement) },
    text: outcome.utterance,
    state: outcome.state,
    ending: outcome.ending,
    messages: outcome.messages,
    storeEvents: async (transaction, at) => {
      await supersedeEvents(transaction, session.id, index);
      await appendEvents(transaction, session.id, redact(session).events(caused), at, variant);
    },
    keep: keep({ turn_index: last.player.turn_index, variant, variants: variant }),
    keepInMemory: () => context.unsaved.addAnswer(session.id, index, outcome),
  });
}
