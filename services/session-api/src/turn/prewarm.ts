import { callRoute } from '@parley/shared/client';
import { AFFINITY_HEADER, ServiceError, GATEWAY_ROUTES } from '@parley/shared/contracts';
import type { SessionApiContext } from '../context';
import { requireState, requireTalk } from '../sessions/session-view';
import { spokenBefore, turnPrompt } from './turn-prompt';

/**
 * The play begins, or the player begins to type: has the runtime read everything of the next prompt but its last message, which holds what the
 * player will say. In the background; whatever goes wrong with it is no matter of the player's.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE.
 */
export async function prewarm(context: SessionApiContext, sessionId: string, requestId: string): Promise<void> {
  const session = await requireTalk(context, sessionId);
  requireState(session, 'typing', ['PlayerTurnListening']);
  if (context.turns.has(sessionId) || !context.prewarming.claim(sessionId, session.turn_count)) return;
  const scenario = context.scenarios.known(session.scenario_id, session.scenario_version, session.language);
  if (scenario === undefined) return;
  const prompt = await turnPrompt(context, session, scenario, await spokenBefore(context, session), '');
  // The turn itself has come meanwhile: it reads its prompt anyway.
  if (context.turns.has(sessionId)) return;
  const messages = prompt.messages.slice(0, -1);
  const reading = callRoute(
    context.config.base.peers.runtime_gateway,
    GATEWAY_ROUTES.prewarm,
    {
      // Where the turn will look for it.
      headers: { [AFFINITY_HEADER]: sessionId },
      body: {
        messages,
        max_tokens: prompt.max_tokens,
        json_schema: scenario.outputSchema(session.difficulty),
      },
    },
    { requestId, timeoutMs: context.config.base.peer_timeout_ms },
  ).then(
    () => undefined,
    (error: unknown) => {
      const code = error instanceof ServiceError ? error.code : 'INTERNAL';
      // Another gateway may not have the call at all; both mean the same.
      if (code === 'NOT_SUPPORTED_BY_RUNTIME' || code === 'NOT_FOUND') context.prewarming.cannot();
      context.logger.debug({ session_id: sessionId, request_id: requestId, code }, 'nothing was read beforehand');
    },
  );
  context.prewarming.begun(sessionId, reading);
}

/** The play begins: as above, for nobody to wait for. Not before the room for a prompt is known, since its first one stays. */
export function prewarmInBackground(context: SessionApiContext, sessionId: string, requestId: string): void {
  const begin = async (): Promise<void> => {
    await context.model.contextLength();
    if (context.model.isKnown) await prewarm(context, sessionId, requestId);
  };
  begin().catch((error: unknown) => {
    context.logger.debug({ session_id: sessionId, request_id: requestId, err: error }, 'nothing was read beforehand');
  });
}
