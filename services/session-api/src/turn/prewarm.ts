import { callRoute } from '@parley/shared/client';
import { npcOutputSchema } from '@parley/shared/engine';
import { ServiceError } from '@parley/shared/contracts';
import type { SessionApiContext } from '../context';
import { requireSession, requireState } from '../sessions/session-view';
import { spokenBefore, turnPrompt } from './turn-prompt';

/** After a runtime said that it cannot, it is not asked again for this long. */
const CANNOT_FOR_MS = 60_000;
const KEPT = 10_000;

/** What was read beforehand already: once per session and stored turn. */
export class Prewarming {
  private readonly readUpTo = new Map<string, number>();
  private cannotUntil = -Infinity;

  /** Whether the turn that comes next is still to be read for. */
  claim(sessionId: string, turnCount: number): boolean {
    if (performance.now() < this.cannotUntil || this.readUpTo.get(sessionId) === turnCount) return false;
    this.readUpTo.delete(sessionId);
    this.readUpTo.set(sessionId, turnCount);
    const oldest = this.readUpTo.keys().next().value;
    if (this.readUpTo.size > KEPT && oldest !== undefined) this.readUpTo.delete(oldest);
    return true;
  }

  /** What was said last is another thing now. */
  forget(sessionId: string): void {
    this.readUpTo.delete(sessionId);
  }

  /** The runtime cannot do it: nobody is asked for a while. */
  cannot(): void {
    this.cannotUntil = performance.now() + CANNOT_FOR_MS;
  }
}

/**
 * The player begins to type: has the runtime read everything of the next prompt but its last message, which holds what the
 * player will say. In the background; whatever goes wrong with it is no matter of the player's.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE.
 */
export async function prewarm(context: SessionApiContext, sessionId: string, requestId: string): Promise<void> {
  const session = await requireSession(context.database.knex, sessionId);
  requireState(session, 'typing', ['PlayerTurnListening']);
  if (context.turns.of(sessionId) !== undefined || !context.prewarming.claim(sessionId, session.turn_count)) return;
  const content = context.scenarios.known(session.scenario_id, session.scenario_version, session.language);
  if (content === undefined) return;
  const prompt = await turnPrompt(context, session, content, await spokenBefore(context, session), '');
  // The turn itself has come meanwhile: it reads its prompt anyway.
  if (context.turns.of(sessionId) !== undefined) return;
  const messages = prompt.messages.slice(0, -1);
  callRoute(
    context.config.base.peers.runtime_gateway,
    'prewarm',
    {
      body: {
        messages,
        max_tokens: prompt.max_tokens,
        json_schema: npcOutputSchema(content, session.difficulty) as Record<string, unknown>,
      },
    },
    { requestId, timeoutMs: context.config.base.peer_timeout_ms },
  ).catch((error: unknown) => {
    const code = error instanceof ServiceError ? error.code : 'INTERNAL';
    // Another gateway may not have the call at all; both mean the same.
    if (code === 'NOT_SUPPORTED_BY_RUNTIME' || code === 'NOT_FOUND') context.prewarming.cannot();
    context.logger.debug({ session_id: sessionId, request_id: requestId, code }, 'nothing was read beforehand');
  });
}
