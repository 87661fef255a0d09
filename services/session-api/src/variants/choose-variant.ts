import { stateAfterTurn, storedEventMessage } from '@parley/shared/engine';
import { ServiceError, type EmittedMessage, type StoredEvent, type TurnAnswer } from '@parley/shared/contracts';
import {
  eventsOfVariant,
  reinstateEvents,
  supersedeEvents,
  type GivenAnswer,
  type SessionRow,
} from '@parley/shared/store';
import type { Needs, SessionApiContext } from '../context';
import { answerView, requireTalk, sessionView, turnView } from '../sessions/session-view';
import { requireChannel } from '../turn/attempt-turn';
import type { TurnPlace } from '../turn/running-turns';
import { commitAnswer, hasLeft } from './commit-answer';
import { eventsBefore, notNow, requireLastAnswer, type LastAnswer } from './last-answer';
import { requireAnswers } from './list-variants';

export interface ChooseRequest {
  readonly sessionId: string;
  /** Index of one of the character's turns. */
  readonly index: number;
  readonly variant: number;
  readonly requestId: string;
}

function noSuchVariant(count: number): ServiceError {
  const message = `It must be the number of an answer; this turn has ${count}.`;
  return new ServiceError('VALIDATION_ERROR', `The body does not match: variant: ${message}`, {
    details: { issues: [{ path: 'variant', message }] },
  });
}

/**
 * Puts an answer that the character gave before in the place of the last one. No turn runs meanwhile.
 * @throws ServiceError as the route names them.
 */
export function chooseVariant(context: SessionApiContext, request: ChooseRequest): Promise<TurnAnswer> {
  const call = { sessionId: request.sessionId, key: null, text: '' };
  return context.turns.run(call, (place) => claimed(context, request, place));
}

async function claimed(context: SessionApiContext, request: ChooseRequest, place: TurnPlace): Promise<TurnAnswer> {
  const session = await requireTalk(context, request.sessionId);
  const given = await requireAnswers(context, session.id, request.index);
  const wanted = given.find(({ turn }) => turn.variant === request.variant);
  if (wanted === undefined) throw noSuchVariant(given.length);
  if (request.index !== session.turn_count)
    throw notNow(session, 'choose_variant', 'Something was said after this answer; only the last one can be changed.');
  const last = await requireLastAnswer(context, session, 'choose_variant');
  const caused = await causedBy(context, session, wanted);
  return wanted.stands
    ? asItStands(context, session, last, caused)
    : bringBack(context, { session, last, wanted, caused, request, place });
}

/** What an answer leads to when it stands. */
interface Caused {
  readonly events: readonly StoredEvent[];
  readonly text: string | null;
  /** As they were when it was given. */
  readonly messages: readonly EmittedMessage[];
}

async function causedBy(
  context: Needs<'database' | 'unsaved'>,
  session: SessionRow,
  { turn }: GivenAnswer,
): Promise<Caused> {
  const all = await eventsOfVariant(context.database, session.id, turn.turn_index, turn.variant);
  const events = all.filter(({ kind }) => kind !== 'ending' || !hasLeft(session));
  const { text } = answerView(context, session, turn);
  const { reason } = context.unsaved.answer(session.id, turn.turn_index, turn.variant);
  const messages = events.flatMap((event) => {
    const message = storedEventMessage(event, () => text);
    if (message === null) return [];
    const isBare = message.type === 'safety.redirect' && message.payload.reason === null;
    return [isBare ? { ...message, payload: { reason } } : message];
  });
  return { events, text, messages };
}

/** Told to the caller as when it was chosen, and to nobody else. */
function asItStands(
  context: Needs<'scenarios' | 'unsaved'>,
  session: SessionRow,
  last: LastAnswer,
  caused: Caused,
): TurnAnswer {
  return {
    session: sessionView(context, session),
    player_turn: turnView(context, session, last.player),
    npc_turn: answerView(context, session, last.standing.turn),
    events: [...caused.messages],
    used_fallback: last.standing.turn.used_fallback,
  };
}

interface Choice {
  readonly session: SessionRow;
  readonly last: LastAnswer;
  readonly wanted: GivenAnswer;
  readonly caused: Caused;
  readonly request: ChooseRequest;
  readonly place: TurnPlace;
}

async function bringBack(context: SessionApiContext, choice: Choice): Promise<TurnAnswer> {
  const { session, last, wanted, caused, request, place } = choice;
  const { scenario_id: scenario, scenario_version: version, language, difficulty } = session;
  const { content } = await context.scenarios.version(scenario, version, language, request.requestId);
  const { turn_index: index, variant } = wanted.turn;
  const events = [...(await eventsBefore(context, session)), ...caused.events];
  const ending = caused.events.find((event) => event.kind === 'ending')?.payload;
  return commitAnswer(context, {
    session,
    last,
    channel: await requireChannel(context, session.id),
    place,
    answer: wanted,
    text: caused.text,
    state: stateAfterTurn(content, difficulty, events, index),
    ending: ending?.ending_type ? { type: ending.ending_type, id: ending.ending_id } : null,
    messages: caused.messages,
    storeEvents: async (transaction) => {
      const ids = caused.events.map(({ id }) => id);
      await supersedeEvents(transaction, session.id, index);
      await reinstateEvents(transaction, session.id, ids);
    },
    keepInMemory: () => context.unsaved.bringBack(session.id, index, variant),
  });
}
