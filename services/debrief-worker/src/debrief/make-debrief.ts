import type { Debrief, TalkFacts } from '@parley/shared/contracts';
import { composeDebrief, fallbackNarrative, turningPoints } from '@parley/shared/engine';
import type { ModelNarrative } from './ask-model';
import type { JudgedSession } from './judged-session';
import type { SessionMaterial } from './session-material';

export interface DebriefParts {
  readonly material: SessionMaterial;
  readonly judged: JudgedSession;
  /** What the model wrote; null when it was not asked or gave nothing usable. */
  readonly written: ModelNarrative | null;
  /** Whether it is of a talk with the demo voice, whose letter is written without a model. */
  readonly is_demo: boolean;
  /** Of the last finished talk of the scenario; null when there is none. */
  readonly facts_before: TalkFacts | null;
  /** ISO 8601 in UTC with milliseconds. */
  readonly generated_at: string;
}

/**
 * The document: computed scores, turning points and letter, in the model's words where those passed.
 */
export function makeDebrief({ material, judged, written, is_demo, facts_before, generated_at }: DebriefParts): Debrief {
  const { session, content, events, turns } = material;
  const { scores, letter, provenance } = judged;
  const ending_type = session.ending_type ?? 'player_exit';
  const narrative =
    written?.narrative ??
    letter?.narrative ??
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
    used_fallback: written === null && !is_demo,
    model_id: written?.model_id ?? null,
    generated_at,
    dropped_turns: written?.dropped_turns ?? 0,
    text_lost: turns.length > 0 && turns.every(({ text }) => text === null),
    ...(letter === null || provenance === null
      ? {}
      : {
          judging: {
            ...letter.parts,
            say_instead: written?.say_instead ?? letter.parts.say_instead,
            judged: scores.judged,
            not_judged_reason: scores.not_judged_reason,
            facts_before,
            provenance,
          },
        }),
  });
}
