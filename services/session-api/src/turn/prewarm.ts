import { callRoute } from '@parley/shared/client';
import { npcOutputSchema } from '@parley/shared/engine';
import { ServiceError } from '@parley/shared/contracts';
import type { SessionApiContext } from '../context';
import { requireSession, requireState } from '../sessions/session-view';
import { spokenBefore, turnPrompt } from './turn-prompt';

/** After a runtime said that it cannot, it is not asked again for this long. */
const CANNOT_FOR_MS = 60_000;
const KEPT = 10_000;
/** A turn waits no longer for what is being read: a gateway that hangs must not hang the turn beyond its own time limit. */
const LONGEST_WAIT_MS = 30_000;

/** What was read beforehand already, once per session and stored turn, and what is being read. */
export class Prewarming {
  private readonly readUpTo = new Map<string, number>();
  private readonly running = new Map<string, Promise<void>>();
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

  /** @param reading Ends when the prompt is read, or cannot be; it never rejects. */
  begun(sessionId: string, reading: Promise<void>): void {
    const ended = reading.finally(() => {
      if (this.running.get(sessionId) === ended) this.running.delete(sessionId);
    });
    this.running.set(sessionId, ended);
  }

  /**
   * Waits until what is being read for a session is read. A turn that did not wait would have its prompt read a second time
   * beside the first, on another slot of the model server: later than without any reading ahead.
   * @returns undefined when nothing is being read; also resolves when the signal is aborted, or after half a minute.
   */
  settled(sessionId: string, signal: AbortSignal): Promise<void> | undefined {
    const reading = this.running.get(sessionId);
    if (reading === undefined || signal.aborted) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(), LONGEST_WAIT_MS);
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      signal.addEventListener('abort', settle, { once: true });
      void reading.then(settle);
    });
  }

  /** The runtime cannot do it: nobody is asked for a while. */
  cannot(): void {
    this.cannotUntil = performance.now() + CANNOT_FOR_MS;
  }
}

/**
 * The play begins, or the player begins to type: has the runtime read everything of the next prompt but its last message, which holds what the
 * player will say. In the background; whatever goes wrong with it is no matter of the player's.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE.
 */
export async function prewarm(context: SessionApiContext, sessionId: string, requestId: string): Promise<void> {
  const session = await requireSession(context.database, sessionId);
  requireState(session, 'typing', ['PlayerTurnListening']);
  if (context.turns.of(sessionId) !== undefined || !context.prewarming.claim(sessionId, session.turn_count)) return;
  const content = context.scenarios.known(session.scenario_id, session.scenario_version, session.language);
  if (content === undefined) return;
  const prompt = await turnPrompt(context, session, content, await spokenBefore(context, session), '');
  // The turn itself has come meanwhile: it reads its prompt anyway.
  if (context.turns.of(sessionId) !== undefined) return;
  const messages = prompt.messages.slice(0, -1);
  const reading = callRoute(
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
