import type {
  Debrief,
  DebriefNarrative,
  DebriefProvenance,
  Difficulty,
  EndingType,
  ScenarioContent,
  TalkFacts,
} from '@parley/shared/contracts';
import type { StoredEventLike } from '../engine-state';
import type { LetterParts } from './letter/letter';
import { debriefWords } from './debrief-words';
import type { SessionScores } from './scoring';
import { stateSeries, turningPoints } from './turning-points';

export interface DebriefInput {
  session_id: string;
  content: ScenarioContent;
  difficulty: Difficulty;
  ending_type: EndingType;
  events: readonly StoredEventLike[];
  scores: SessionScores;
  narrative: DebriefNarrative;
  /** Whether the narrative had to be written without the model. */
  used_fallback: boolean;
  /** null when no model wrote it. */
  model_id: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  generated_at: string;
  /** Turns that the prompt had no room for: the summary says so. */
  dropped_turns?: number;
  /** Whether the words of the talk were gone when this was written: the summary says so. */
  text_lost?: boolean;
  /** What only a rubric with checks has. */
  judging?: JudgingParts;
}

/** The members of a debrief that only a rubric with checks has. */
interface JudgingParts extends LetterParts {
  readonly judged: boolean;
  readonly not_judged_reason: string | null;
  readonly facts_before: TalkFacts | null;
  readonly provenance: DebriefProvenance;
}

/**
 * The debrief document (docs/interface.md, Debrief): computed scores, turning points and series with a checked
 * narrative.
 */
export function composeDebrief(input: DebriefInput): Debrief {
  const { content, narrative, scores } = input;
  const dropped = input.used_fallback ? 0 : (input.dropped_turns ?? 0);
  const words = debriefWords(content.language);
  const notices = [
    ...(dropped > 0 ? [words.withoutTurns(dropped)] : []),
    ...(input.text_lost ? [words.wordsNotKept] : []),
  ];
  return {
    schema_version: 1,
    session_id: input.session_id,
    scenario_id: content.id,
    ending_type: input.ending_type,
    overall_score: scores.overall_score,
    used_fallback: input.used_fallback,
    generated_at: input.generated_at,
    model_id: input.model_id,
    dimensions: scores.dimensions,
    turning_points: turningPoints(content, input.events),
    summary: [narrative.summary, ...notices].join(' '),
    strengths: narrative.strengths,
    improvements: narrative.improvements,
    replay_suggestions: narrative.replay_suggestions,
    state_series: stateSeries(content, input.difficulty, input.events),
    ...input.judging,
  };
}
