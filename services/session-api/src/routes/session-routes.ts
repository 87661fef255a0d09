import { prefersAsync, type Handlers } from '@parley/shared/service';
import { listEvents } from '@parley/shared/store';
import { ServiceError, PLAY_ROUTES, REVIEW_ROUTES } from '@parley/shared/contracts';
import type { SessionApiContext } from '../context';
import { createDebrief, DEBRIEF_RETRY_SECONDS } from '../debrief/create-debrief';
import { rateSelf } from '../debrief/rate-self';
import { rescoreSession } from '../debrief/rescore-session';
import { compareSession } from '../sessions/compare-session';
import { answerWithNewSession } from '../sessions/answer-with-new-session';
import { createSession } from '../sessions/create-session';
import { cancelTurn, clearEverything, endSession, removeSession } from '../sessions/end-session';
import { debriefOf, exportOf, transcriptOf } from '../sessions/export-session';
import { markdownOf } from '../sessions/export-markdown';
import { forkSession } from '../sessions/fork-session';
import { listSessions } from '../sessions/list-sessions';
import { progress } from '../sessions/progress';
import { requireSession, requireTalk, sessionWithHint } from '../sessions/session-view';
import { startSession } from '../sessions/start-session';
import { coachLine } from '../practice/coach-line';
import { tryMoment } from '../practice/try-moment';
import { debugPrompt } from '../turn/debug-prompt';
import { prewarm } from '../turn/prewarm';
import { takeTurn } from '../turn/take-turn';
import { chooseVariant } from '../variants/choose-variant';
import { listVariants } from '../variants/list-variants';
import { regenerate } from '../variants/regenerate';

/** Handlers of all session operations: thin, what they do lives beside the noun. */
export function sessionRoutes(context: SessionApiContext): Handlers {
  const { database } = context;
  return {
    createSession: ({ body, headers }, { requestId }) =>
      answerWithNewSession(
        context,
        { route: PLAY_ROUTES.createSession, key: headers['idempotency-key'], request: body },
        (also) => createSession(context, body, requestId, also),
      ),
    listSessions: async ({ query }) => ({ body: await listSessions(context, query) }),
    getSession: async ({ params }) => ({
      body: await sessionWithHint(context, await requireSession(database, params.id)),
    }),
    startSession: async ({ params }, { requestId }) => ({ body: await startSession(context, params.id, requestId) }),
    takeTurn: async ({ params, body, headers }, { requestId }) => ({
      body: await takeTurn(context, {
        sessionId: params.id,
        text: body.text,
        idempotencyKey: headers['idempotency-key'] ?? null,
        requestId,
      }),
    }),
    regenerate: async ({ params, headers }, { requestId }) => ({
      body: await regenerate(context, {
        sessionId: params.id,
        idempotencyKey: headers['idempotency-key'],
        requestId,
      }),
    }),
    listVariants: async ({ params }) => ({ body: await listVariants(context, params.id, params.index) }),
    chooseVariant: async ({ params, body }, { requestId }) => ({
      body: await chooseVariant(context, {
        sessionId: params.id,
        index: params.index,
        variant: body.variant,
        requestId,
      }),
    }),
    hintTyping: async ({ params }, { requestId }) => {
      await prewarm(context, params.id, requestId);
      return { status: 204 };
    },
    coachLine: async ({ params, body }, { requestId }) => ({
      body: await coachLine(context, params.id, body.text, requestId),
    }),
    tryMoment: async ({ params, body }, { requestId, signal }) => ({
      body: await tryMoment(context, {
        sessionId: params.id,
        turn: params.turn,
        text: body.text,
        reply: body.reply ?? false,
        requestId,
        signal,
      }),
    }),
    endSession: async ({ params }) => ({ body: await endSession(context, params.id) }),
    cancelTurn: async ({ params }) => ({ body: { session: await cancelTurn(context, params.id) } }),
    createDebrief: async ({ params, headers }, { requestId, signal }) => {
      const respondAsync = prefersAsync(headers.prefer);
      const answer = await createDebrief(context, params.id, respondAsync, requestId, signal);
      if ('debrief' in answer) return { status: 200, body: answer.debrief };
      return {
        status: 202,
        body: answer,
        headers: {
          Location: `/api/sessions/${params.id}/debrief`,
          'Retry-After': String(DEBRIEF_RETRY_SECONDS),
          ...(respondAsync ? { 'Preference-Applied': 'respond-async' } : {}),
        },
      };
    },
    getDebrief: async ({ params }) => {
      const debrief = await debriefOf(context, await requireTalk(context, params.id));
      if (debrief === null)
        throw new ServiceError(
          'DEBRIEF_NOT_FOUND',
          'This session has no debrief yet; ask for one with POST when it has ended.',
        );
      return { body: debrief };
    },
    rateSelf: async ({ params, body }, { requestId }) => ({
      body: await rateSelf(context, params.id, body.ratings, requestId),
    }),
    getTranscript: async ({ params }) => ({ body: await transcriptOf(context, params.id) }),
    listEvents: async ({ params, query }) => {
      await requireSession(database, params.id);
      return { body: await listEvents(database, params.id, query) };
    },
    exportSession: async ({ params, query }) => {
      const document = await exportOf(context, params.id);
      const attachment = (ending: string) => `attachment; filename="parley-session-${params.id}.${ending}"`;
      if (query.format === 'json') return { body: document, headers: { 'Content-Disposition': attachment('json') } };
      return {
        content: markdownOf(document),
        headers: { 'Content-Type': 'text/markdown; charset=utf-8', 'Content-Disposition': attachment('md') },
      };
    },
    compareSession: async ({ params }) => ({ body: await compareSession(context, params.id) }),
    rescoreSession: async ({ params }, { requestId }) => ({
      body: await rescoreSession(context, params.id, requestId),
    }),
    getDebugPrompt: async ({ params, query }, { requestId }) => ({
      body: await debugPrompt(context, params.id, query.turn, requestId),
    }),
    forkSession: ({ params, body, headers }, { requestId }) =>
      answerWithNewSession(
        context,
        { route: REVIEW_ROUTES.forkSession, key: headers['idempotency-key'], params, request: body },
        (also) => forkSession(context, params.id, body.turn, requestId, also),
      ),
    deleteSession: async ({ params }) => {
      await removeSession(context, params.id);
      return { status: 204 };
    },
    clearPrivacy: async () => ({ body: await clearEverything(context) }),
    getProgress: async ({ query }, { requestId }) => ({
      body: await progress(context, query.scenario_id, requestId),
    }),
  };
}
