import type { Debrief } from '@parley/shared/contracts';
import { composeDebrief, fallbackNarrative, scoreSession, turningPoints } from '@parley/shared/engine';
import type { ModelNarrative } from './ask-model';
import type { SessionMaterial } from './session-material';

/**
 * The document: computed scores and turning points, with the model's narrative, or with one that is written from the
 * scores when there is none.
 * @param generatedAt ISO 8601 in UTC with milliseconds
 */
export function makeDebrief(material: SessionMaterial, written: ModelNarrative | null, generatedAt: string): Debrief {
  const { session, content, events, turns, observations } = material;
  const ending_type = session.ending_type ?? 'player_exit';
  const scores = scoreSession(content, observations, session.self_ratings);
  const narrative =
    written?.narrative ??
    fallbackNarrative({
      content,
      turns: [...turns],
      events,
      scores,
      turning_points: turningPoints(content, events),
      ending: { type: ending_type, id: session.ending_id },
    });
  return composeDebrief({
    session_id: session.id,
    content,
    difficulty: session.difficulty,
    ending_type,
    events,
    scores,
    narrative,
    used_fallback: written === null,
    model_id: written?.model_id ?? null,
    generated_at: generatedAt,
    dropped_turns: written?.dropped_turns ?? 0,
    text_lost: turns.length > 0 && turns.every(({ text }) => text === null),
  });
}
