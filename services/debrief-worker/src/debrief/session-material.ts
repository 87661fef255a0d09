import { callRoute } from '@parley/shared/client';
import {
  ServiceError,
  type LineJudgement,
  type ScenarioContent,
  type SessionMemory,
  type StoredEvent,
  INTERNAL_ROUTES,
} from '@parley/shared/contracts';
import type { PromptTurn, ScoredObservation } from '@parley/shared/engine';
import { standingEvents, listTurns, type SessionRow, type TurnRow } from '@parley/shared/store';
import type { WorkerContext } from '../context';
import { callPeer } from './call-peer';
import { lostContent } from './lost-content';

/** Everything that a debrief is made from. */
export interface SessionMaterial {
  readonly session: SessionRow;
  readonly content: ScenarioContent;
  /** Whether the pack was removed: the content is then what the session itself still tells. */
  readonly content_lost: boolean;
  readonly events: readonly StoredEvent[];
  /** As stored: without text and notes when the transcript is not saved. */
  readonly turns: readonly PromptTurn[];
  readonly observations: readonly ScoredObservation[];
  /** What each line showed, as stored when it was said; lines of before judgements were stored have none. */
  readonly judgements: readonly LineJudgement[];
  /** Turns of the player that the safety policy answered: they were no move of the talk, and are not judged. */
  readonly by_policy: ReadonlySet<number>;
  /** Text and notes of a session that is not saved, while session-api still has them; null otherwise. */
  readonly memory: SessionMemory | null;
}

/** Observations stand with the character's turn and count for the player's turn before it. */
function observationsOf(turns: readonly TurnRow[]): ScoredObservation[] {
  return turns.flatMap((row) =>
    (row.observations ?? []).map(({ dimension, delta, note }) => ({
      turn: row.turn_index - 1,
      dimension,
      delta,
      note,
    })),
  );
}

/** What the policy answered was stored without a judgement, as lines were before there were any; its event tells them apart. */
function answeredByPolicy(turns: readonly TurnRow[], events: readonly StoredEvent[]): Set<number> {
  const answers = new Set(
    events.flatMap(({ kind, turn_index }) =>
      kind === 'safety_redirect' || kind === 'safety_stop' ? [turn_index] : [],
    ),
  );
  return new Set(
    turns
      .filter(
        ({ role, judgement, turn_index }) => role === 'player' && judgement === null && answers.has(turn_index + 1),
      )
      .map(({ turn_index }) => turn_index),
  );
}

/** The scenario in the version that the session started with; what is left of it when its pack is gone. */
async function scenarioOf(
  context: WorkerContext,
  session: SessionRow,
  observations: readonly ScoredObservation[],
  signal: AbortSignal,
): Promise<Pick<SessionMaterial, 'content' | 'content_lost'>> {
  const { scenario_id: id, scenario_version: version, language } = session;
  try {
    const { content } = await callPeer(context, signal, (options) =>
      callRoute(
        context.config.base.peers.pack_service,
        INTERNAL_ROUTES.getScenarioContent,
        { params: { id }, query: { version, language } },
        options,
      ),
    );
    return { content, content_lost: false };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SCENARIO_NOT_FOUND')
      return { content: lostContent(session, observations), content_lost: true };
    throw error;
  }
}

async function memoryOf(
  context: WorkerContext,
  session: SessionRow,
  signal: AbortSignal,
): Promise<SessionMemory | null> {
  if (session.transcript_saved) return null;
  try {
    const memory = await callPeer(context, signal, (options) =>
      callRoute(
        context.config.base.peers.session_api,
        INTERNAL_ROUTES.getSessionMemory,
        { params: { id: session.id } },
        options,
      ),
    );
    return memory.turns === null ? null : memory;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    // It is there, and cannot reach the words that several processes share: they may be back before they are gone.
    if (error.details?.['service'] === 'redis') throw error;
    // A session-api that was away for so long has lost the text with its memory.
    context.logger.info({ session_id: session.id, code: error.code }, 'the text of an unsaved session is gone');
    return null;
  }
}

/** Reads what the debrief of a session is made from. @throws ServiceError when the scenario cannot be had now */
export async function sessionMaterial(
  context: WorkerContext,
  session: SessionRow,
  signal: AbortSignal,
): Promise<SessionMaterial> {
  const { database } = context;
  const rows = await listTurns(database, session.id);
  const events = await standingEvents(database, session.id);
  const observations = observationsOf(rows);
  const scenario = await scenarioOf(context, session, observations, signal);
  const memory = await memoryOf(context, session, signal);
  const turns = rows.map(({ turn_index, role, text }) => ({ index: turn_index, role, text }));
  const judgements = rows.flatMap(({ judgement }) => judgement ?? []);
  const by_policy = answeredByPolicy(rows, events);
  return { session, ...scenario, events, turns, observations, judgements, by_policy, memory };
}

/** The same material with the text and notes that are only in memory. For what goes back to memory, never to the store. */
export function withMemory(material: SessionMaterial, memory: SessionMemory): SessionMaterial {
  const texts = new Map((memory.turns ?? []).map(({ index, text }) => [index, text]));
  const notes = new Map<string, string[]>();
  for (const { turn, dimension, note } of memory.notes ?? []) {
    const key = `${turn} ${dimension}`;
    notes.set(key, [...(notes.get(key) ?? []), note]);
  }
  return {
    ...material,
    turns: material.turns.map((turn) => ({ ...turn, text: texts.get(turn.index) ?? null })),
    observations: material.observations.map((observation) => ({
      ...observation,
      note: notes.get(`${observation.turn} ${observation.dimension}`)?.shift() ?? null,
    })),
  };
}
