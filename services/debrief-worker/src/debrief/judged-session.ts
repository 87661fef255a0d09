import { createHash } from 'node:crypto';
import {
  checkVerdicts,
  hasChecks,
  judgeTalk,
  opinionRules,
  pointsOf,
  questionsFor,
  scoreChecks,
  scoreSession,
  writeLetter,
  type CheckedScores,
  type JudgedTalk,
  type Letter,
} from '@parley/shared/engine';
import type { CheckOpinion, DebriefProvenance, LineJudgement, ScenarioContent } from '@parley/shared/contracts';
import type { SessionMaterial } from './session-material';

/** What a second reader said, reading by reading. */
export interface Opinions {
  /** What most readings say. */
  readonly settled: readonly CheckOpinion[];
  readonly readings: readonly (readonly CheckOpinion[])[];
  /** null when the readings are not known any more, as after a rescoring. */
  readonly model_id: string | null;
}

/** A session with its scores; `letter` and `provenance` only with a rubric that has checks. */
export interface JudgedSession {
  readonly scores: CheckedScores;
  readonly letter: Letter | null;
  readonly provenance: DebriefProvenance | null;
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** Of all that decides a verdict: the same hash means that scores can be compared. */
const rubricHash = ({ rubric, moves, flags }: ScenarioContent): string =>
  hashOf({
    checks: rubric.dimensions.map(({ id, weight, checks, faults }) => ({ id, weight, checks, faults })),
    moves: moves.map(({ id, signs, proof }) => ({ id, signs, proof })),
    flags: Object.entries(flags).map(([id, { signs, proof }]) => ({ id, signs, proof })),
  });

/** Of the questions, whatever was said in the talk; null when none are asked. */
function promptHash(content: ScenarioContent, language: string): string | null {
  const questions = questionsFor(content, language);
  return questions.length === 0 ? null : hashOf(questions.map(opinionRules));
}

/** Each line as it was judged when it was said; from its words where that is not known. What the policy answered is left out. */
export function judgementsOf(material: SessionMaterial, again: boolean): LineJudgement[] {
  const { content, session, turns, judgements, by_policy } = material;
  const spoken = turns.map(({ index, role, text }) => ({ turn_index: index, role, text }));
  const fromText = judgeTalk(content, session.language, spoken);
  const stored = new Map(judgements.map((judgement) => [judgement.turn, judgement]));
  const read = new Map(fromText.map((judgement) => [judgement.turn, judgement]));
  const order = again ? [stored, read] : [read, stored];
  const all = new Map(order.flatMap((one) => [...one]));
  return [...all.values()].filter(({ turn }) => !by_policy.has(turn)).sort((one, other) => one.turn - other.turn);
}

/** How far the readings were apart: the largest minus the smallest score, by dimension. */
function spreadOf(talk: JudgedTalk, readings: Opinions['readings']): Record<string, number> {
  const scored = readings.map((opinions) => checkVerdicts({ ...talk, opinions: [...opinions] }));
  return Object.fromEntries(
    (scored[0] ?? []).map(({ id }, index) => {
      const points = scored.flatMap((reading) => (reading[index] === undefined ? [] : [pointsOf(reading[index])]));
      return [id, Math.max(...points) - Math.min(...points)];
    }),
  );
}

/**
 * The scores of a session with what they rest on. A rubric without checks keeps the other formula (docs/interface.md,
 * Formula without checks).
 * @param again judge the words anew instead of taking what was stored when they were said.
 */
export function judgeSession(material: SessionMaterial, opinions: Opinions | null, again = false): JudgedSession {
  const { content, session, events, turns, observations } = material;
  if (!hasChecks(content)) {
    const scores = scoreSession(content, observations, session.self_ratings);
    return { scores: { ...scores, judged: true, not_judged_reason: null }, letter: null, provenance: null };
  }
  const ending_type = session.ending_type ?? 'player_exit';
  const judgements = judgementsOf(material, again);
  const talk: JudgedTalk = {
    content,
    language: session.language,
    judgements,
    ending_type,
    player_lines: session.player_turn_count,
    opinions: opinions?.settled ?? null,
  };
  const scores = scoreChecks(talk, observations, session.self_ratings);
  return {
    scores,
    letter: writeLetter({
      content,
      turns,
      events,
      dimensions: scores.dimensions,
      judged: scores.judged,
      not_judged_reason: scores.not_judged_reason,
      judgements,
      ending: { type: ending_type, id: session.ending_id },
      focus_dimension: session.focus_dimension,
    }),
    provenance: {
      rubric_hash: rubricHash(content),
      prompt_hash: opinions === null ? null : promptHash(content, session.language),
      judge_model: opinions?.model_id ?? null,
      reads: opinions?.readings.length ?? 0,
      spread: opinions === null ? {} : spreadOf(talk, opinions.readings),
    },
  };
}
