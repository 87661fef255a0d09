import type {
  CheckFile,
  ManifestFile,
  Proof,
  RubricFile,
  ScenarioCheck,
  ScenarioContent,
  ScenarioFile,
  Sign,
} from '@parley/shared/contracts';
import type { z } from 'zod';

const DEFAULT_DIMENSION_DELTA = 10;

/** What proves it when the author does not say: signs where there are any, else the model. */
const provedBy = ({ proof, signs }: { proof?: Proof | undefined; signs?: readonly Sign[] | undefined }): Proof =>
  proof ?? (signs === undefined ? 'model' : 'signs');

export function compileFlags(scenario: ScenarioFile): ScenarioContent['flags'] {
  return Object.fromEntries(
    Object.entries(scenario.flags ?? {}).map(([id, authored]) => {
      const flag = typeof authored === 'string' ? { meaning: authored } : authored;
      return [id, { meaning: flag.meaning, shown: flag.shown ?? null, signs: flag.signs ?? [], proof: provedBy(flag) }];
    }),
  );
}

/** A check that names no proof is proven as the move or flag that it looks for. */
function compileCheck(scenario: ScenarioFile, check: z.infer<typeof CheckFile>): ScenarioCheck {
  const move = scenario.moves?.find((one) => one.id === check.move);
  const flagId = check.flag ?? check.without_flag;
  const flag = flagId === undefined ? undefined : scenario.flags?.[flagId];
  const named = move ?? (typeof flag === 'string' ? { signs: undefined } : flag);
  return {
    id: check.id,
    text: check.text,
    points: check.points,
    move: check.move ?? null,
    flag: check.flag ?? null,
    without_flag: check.without_flag ?? null,
    signs: check.signs ?? null,
    by_line: check.by_line ?? null,
    after_move: check.after_move ?? null,
    proof: check.proof ?? (check.signs !== undefined || named === undefined ? 'signs' : provedBy(named)),
  };
}

export const compileMoves = (scenario: ScenarioFile): ScenarioContent['moves'] =>
  (scenario.moves ?? []).map((move) => ({
    id: move.id,
    description: move.description,
    effect: move.effect ?? {},
    repeat: move.repeat ?? 'halved',
    signs: move.signs ?? [],
    proof: provedBy(move),
    exemplars: move.exemplars ?? [],
    asks: move.asks ?? null,
  }));

/** The dimensions of the rubric; what the manifest says of skills that packs share goes to each. */
export function compileDimensions(
  rubric: RubricFile,
  scenario: ScenarioFile,
  skills: NonNullable<ManifestFile['skills']>,
): ScenarioContent['rubric']['dimensions'] {
  return rubric.dimensions.map((dimension) => ({
    id: dimension.id,
    name: dimension.name,
    description: dimension.description,
    scoring: dimension.scoring,
    weight: dimension.weight ?? 1,
    moves: dimension.moves ?? [],
    framework: dimension.framework ?? null,
    sources: dimension.sources ?? [],
    max_delta_per_turn: dimension.max_delta_per_turn ?? DEFAULT_DIMENSION_DELTA,
    skill: Object.hasOwn(skills, dimension.id) ? (skills[dimension.id] ?? null) : null,
    checks: (dimension.checks ?? []).map((check) => compileCheck(scenario, check)),
    faults: (dimension.faults ?? []).map((fault) => compileCheck(scenario, fault)),
  }));
}
