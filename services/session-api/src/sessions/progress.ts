import { allowedDifficulties } from '@parley/shared/engine';
import { DIFFICULTIES, SKILLS, SkillId, type Difficulty, type Progress } from '@parley/shared/contracts';
import { listAttempts, type AttemptRow, type ScenarioAttempts } from '@parley/shared/store';
import type { SessionApiContext } from '../context';

/** Talks that a level is the mean of, and fewer than which make none. */
const LEVEL_TALKS = 3;
const MAX_SUGGESTIONS = 3;
/** Practice that is spread over days keeps better than practice in a row. */
const PAUSE_MS = 3 * 24 * 60 * 60 * 1000;
/** From this score on the same scenario is suggested a step harder. */
const READY_FOR_HARDER = 75;

type SkillProgress = Progress['skills'][number];

/** Scores over time, oldest first. Dimensions that were not observed are null and make no points. */
export async function progress(
  context: SessionApiContext,
  scenarioId: string | undefined,
  requestId: string,
): Promise<Progress> {
  const scenarios = await listAttempts(context.database, scenarioId);
  return {
    scenarios: scenarios.map(({ scenario_id, attempts }) => ({
      scenario_id,
      title: attempts.at(-1)?.scenario_title ?? scenario_id,
      attempts: attempts.map(({ scenario_title: _title, dimensions: scores, ...attempt }) => ({
        ...attempt,
        dimensions: Object.fromEntries(scores.map(({ id, score, observed }) => [id, observed ? score : null])),
      })),
    })),
    dimensions: byDimension(scenarios),
    skills: bySkill(scenarios),
    suggestions: await suggestions(context, scenarios, requestId),
  };
}

function byDimension(scenarios: readonly ScenarioAttempts[]): Progress['dimensions'] {
  const dimensions = new Map<string, Progress['dimensions'][number]>();
  for (const { attempts } of scenarios)
    for (const { session_id, ended_at, attempt, dimensions: scores } of attempts)
      for (const { id, name, score, observed } of scores) {
        const known = dimensions.get(id) ?? { id, name, points: [] };
        dimensions.set(id, known);
        if (observed) known.points.push({ session_id, ended_at, attempt, score });
      }
  for (const { points } of dimensions.values()) points.sort((a, b) => a.ended_at.localeCompare(b.ended_at));
  return [...dimensions.values()].filter(({ points }) => points.length > 0);
}

function bySkill(scenarios: readonly ScenarioAttempts[]): SkillProgress[] {
  const skills = new Map<SkillId, SkillProgress['points']>();
  for (const { scenario_id, attempts } of scenarios)
    for (const attempt of attempts)
      for (const { skill, score, observed, judged_checks = 0 } of attempt.dimensions) {
        const known = SkillId.safeParse(skill);
        if (!known.success || !observed) continue;
        const { session_id, ended_at, difficulty, coaching, demo } = attempt;
        const point = {
          session_id,
          scenario_id,
          ended_at,
          attempt: attempt.attempt,
          difficulty,
          coaching,
          score,
          judged_checks,
          ...(demo === true ? { demo } : {}),
        };
        skills.set(known.data, [...(skills.get(known.data) ?? []), point]);
      }
  return [...skills].map(([id, points]) => {
    points.sort((a, b) => a.ended_at.localeCompare(b.ended_at));
    const last = points.filter(({ coaching, demo }) => !coaching && demo !== true).slice(-LEVEL_TALKS);
    return {
      id,
      name: SKILLS[id],
      judged_checks: points.reduce((sum, point) => sum + point.judged_checks, 0),
      level:
        last.length < LEVEL_TALKS ? null : Math.round(last.reduce((sum, { score }) => sum + score, 0) / LEVEL_TALKS),
      points,
    };
  });
}

const harder = (offered: readonly Difficulty[], than: Difficulty): Difficulty =>
  DIFFICULTIES.find((one) => DIFFICULTIES.indexOf(one) > DIFFICULTIES.indexOf(than) && offered.includes(one)) ?? than;

/** The dimension that a talk scored lowest on; null when none was observed. */
const weakest = ({ dimensions }: AttemptRow): string | null =>
  dimensions.filter(({ observed }) => observed).sort((a, b) => a.score - b.score)[0]?.id ?? null;

/** The same scenarios again some days later, those played longest ago first; a step harder once they went well. */
async function suggestions(
  context: SessionApiContext,
  scenarios: readonly ScenarioAttempts[],
  requestId: string,
): Promise<Progress['suggestions']> {
  const played = scenarios
    .flatMap(({ scenario_id, attempts }) => {
      const last = attempts.filter(({ finished, overall_score }) => finished && overall_score !== null).at(-1);
      return last === undefined ? [] : [{ scenario_id, last }];
    })
    .sort((a, b) => a.last.ended_at.localeCompare(b.last.ended_at))
    .slice(0, MAX_SUGGESTIONS);
  const found = await Promise.all(
    played.map(async ({ scenario_id, last }) => {
      // A scenario whose pack is gone is not suggested, and a catalogue that is away suggests nothing.
      const scenario = await context.scenarios.current(scenario_id, undefined, requestId).catch(() => null);
      if (scenario === null) return [];
      const { content } = scenario;
      const wentWell = (last.overall_score ?? 0) >= READY_FOR_HARDER && last.ending_type === 'success';
      const focus = weakest(last);
      return [
        {
          scenario_id,
          title: content.title,
          difficulty: wentWell ? harder(allowedDifficulties(content), last.difficulty) : last.difficulty,
          focus_dimension: content.rubric.dimensions.some(({ id }) => id === focus) ? focus : null,
          not_before: new Date(Date.parse(last.ended_at) + PAUSE_MS).toISOString(),
        },
      ];
    }),
  );
  return found.flat();
}
