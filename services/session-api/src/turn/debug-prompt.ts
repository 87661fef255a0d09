import { buildPrompt, stateAfterTurn, summarisedUpTo, summaryUpTo } from '@parley/shared/engine';
import { ServiceError, type DebugPrompt } from '@parley/shared/contracts';
import { eventsUpToTurn, findTurn, listTurns } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { requireSession } from '../sessions/session-view';
import { recapOf } from './turn-prompt';

function badTurn(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `The query does not match: turn: ${message}`, {
    details: { issues: [{ path: 'turn', message }] },
  });
}

/**
 * The prompt that one of the player's turns led to, built again from what is stored: with the state as it stood then, and
 * with the model, the settings and the recap of now.
 * @param turn index of a player's turn; the last one unless told.
 * @throws ServiceError SESSION_NOT_FOUND, TRANSCRIPT_NOT_SAVED, VALIDATION_ERROR, SERVICE_UNAVAILABLE.
 */
export async function debugPrompt(
  context: SessionApiContext,
  sessionId: string,
  turn: number | undefined,
  requestId: string,
): Promise<DebugPrompt> {
  const { database } = context;
  const session = await requireSession(database, sessionId);
  if (!session.transcript_saved)
    throw new ServiceError(
      'TRANSCRIPT_NOT_SAVED',
      'The text of this session was not kept, so its prompts cannot be shown.',
    );
  const index = turn ?? session.turn_count - 1;
  const player = index < 1 ? null : await findTurn(database, sessionId, index);
  if (player?.role !== 'player' || player.text === null)
    throw badTurn("It must be the number of one of the player's turns.");
  const scenario = await context.scenarios.version(
    session.scenario_id,
    session.scenario_version,
    session.language,
    requestId,
  );
  const { content } = scenario;
  const before = index - 1;
  const events = await eventsUpToTurn(database, sessionId, before);
  const state = stateAfterTurn(content, session.difficulty, events, before);
  const stored = await listTurns(database, sessionId, { upTo: before });
  const turns = stored.map((row) => ({ index: row.turn_index, role: row.role, text: row.text }));
  const contextLength = await context.model.contextLength();
  const recap = await recapOf(context, session);
  const { rubric_detail: _detail, ...prompt } = buildPrompt({
    scenario,
    difficulty: session.difficulty,
    language: session.language,
    focus_dimension: session.focus_dimension,
    fence: session.fence,
    state,
    turns,
    summary: summaryUpTo({ content, language: session.language }, summarisedUpTo(before), { events, turns }),
    recap,
    player_text: player.text,
    context_length: contextLength,
    rubric_detail: context.fits.of(sessionId),
  });
  return {
    session_id: sessionId,
    turn: index,
    ...prompt,
    context_length: contextLength,
    json_schema: scenario.outputSchema(session.difficulty),
  };
}
