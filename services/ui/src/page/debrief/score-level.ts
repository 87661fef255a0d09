export type ScoreLevel = 'low' | 'medium' | 'high';

/** Which of the rubric's three anchors a score from 0 to 100 is nearest to: thirds, so that the baseline 50 is medium. */
export function scoreLevel(score: number): ScoreLevel {
  if (score < 34) return 'low';
  return score < 67 ? 'medium' : 'high';
}
