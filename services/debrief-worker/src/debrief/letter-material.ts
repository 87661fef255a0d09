import { createLetterGuard, type CheckedScores, type LetterInput, type SentenceGuard } from '@parley/shared/engine';
import { judgementsOf } from './judged-session';
import type { SessionMaterial } from './session-material';

/** What the letter of a session is written from. */
export function letterInputOf(material: SessionMaterial, scores: CheckedScores): LetterInput {
  const { content, session, turns, events } = material;
  return {
    content,
    turns,
    events,
    dimensions: scores.dimensions,
    judged: scores.judged,
    not_judged_reason: scores.not_judged_reason,
    judgements: judgementsOf(material, false),
    ending: { type: session.ending_type ?? 'player_exit', id: session.ending_id },
    focus_dimension: session.focus_dimension,
  };
}

/** Whether a sentence of the model may stand in the letter of this session. */
export function letterGuard(material: SessionMaterial, scores: CheckedScores): SentenceGuard {
  const faultOf = createLetterGuard({
    ...letterInputOf(material, scores),
    language: material.session.language,
    overall_score: scores.overall_score,
    better: material.content.moves.flatMap(({ exemplars }) => exemplars),
  });
  return (sentence) => faultOf(sentence) === null;
}
