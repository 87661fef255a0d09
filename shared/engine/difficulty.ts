import { DIFFICULTIES, type Difficulty, type ScenarioContent } from '@parley/shared/contracts';
import { favourOf, isEarned } from './vocabulary';

/**
 * The presets that a session of this scenario may be created with, in the order warm to adversarial. A scenario with a
 * difficulty block offers what it lists; one without it takes all four, without effect (docs/interface.md, Difficulty).
 */
export function allowedDifficulties(content: ScenarioContent): Difficulty[] {
  const listed = DIFFICULTIES.filter((difficulty) => content.difficulty.options[difficulty] !== undefined);
  return content.difficulty.declared && listed.length > 0 ? listed : [...DIFFICULTIES];
}

/** The preset when none is named: the scenario's default, else standard, else the first that is offered. */
export function defaultDifficulty(content: ScenarioContent): Difficulty {
  const allowed = allowedDifficulties(content);
  const wished = [content.difficulty.default, 'standard' as const].find((difficulty) => allowed.includes(difficulty));
  return wished ?? allowed[0] ?? 'standard';
}

/**
 * How far the model may move a variable in one turn, in points: the author's max_delta_per_turn, scaled by the preset's
 * volatility (0.5 + volatility/100), rounded half up and never below 1 where the author allows any change at all. A
 * variable that the scenario does not have answers 0. Whole-number arithmetic keeps the rounding exact.
 */
export function effectiveMaxDelta(content: ScenarioContent, difficulty: Difficulty, variable: string): number {
  const definition = Object.hasOwn(content.variables, variable) ? content.variables[variable] : undefined;
  if (!definition) return 0;
  const volatility = content.difficulty.options[difficulty]?.volatility ?? null;
  return volatility === null ? definition.max_delta_per_turn : scaled(definition.max_delta_per_turn, 50 + volatility);
}

/** Percent of a number of points, rounded half up, never below 1 where there was any point. Points are 0 or more. */
const scaled = (points: number, percent: number): number =>
  points < 1 ? points : Math.max(1, Math.floor((points * percent + 50) / 100));

/** Percent by which a preset scales what hurts the player and what helps. */
function scales(content: ScenarioContent, difficulty: Difficulty): { hurts: number; helps: number } {
  const volatility = content.difficulty.options[difficulty]?.volatility ?? 50;
  return { hurts: 50 + volatility, helps: 150 - volatility };
}

/**
 * An author's points as they count at this difficulty: a higher volatility makes what hurts the player stronger and what
 * helps weaker, so that harder is harder for every variable. 50 leaves them as they are.
 *
 * @param points change of the variable, either way.
 * @param favour which way is good for the player.
 */
export function scaledForDifficulty(
  content: ScenarioContent,
  difficulty: Difficulty,
  points: number,
  favour: 'up' | 'down',
): number {
  const { hurts, helps } = scales(content, difficulty);
  const good = points > 0 === (favour === 'up');
  return Math.sign(points) * scaled(Math.abs(points), good ? helps : hurts);
}

/**
 * How far the model may move a variable in one turn, up and down, in points. Format 0.1: both ways alike
 * (`effectiveMaxDelta`). Format 0.2: by the preset as `scaledForDifficulty`; and where moves of the player earn what is
 * good, the model can give none of it and take at most half.
 */
export function deltaBounds(
  content: ScenarioContent,
  difficulty: Difficulty,
  variable: string,
): { up: number; down: number } {
  const definition = Object.hasOwn(content.variables, variable) ? content.variables[variable] : undefined;
  if (!definition) return { up: 0, down: 0 };
  if (content.format_version === '0.1') {
    const bound = effectiveMaxDelta(content, difficulty, variable);
    return { up: bound, down: bound };
  }
  const favour = favourOf(content, variable);
  const { hurts, helps } = scales(content, difficulty);
  const base = definition.max_delta_per_turn;
  const earned = isEarned(content, variable);
  const good = earned ? 0 : scaled(base, helps);
  const bad = earned ? Math.ceil(scaled(base, hurts) / 2) : scaled(base, hurts);
  return favour === 'up' ? { up: good, down: bad } : { up: bad, down: good };
}

/** Where each preset value starts a variable, by variable; null leaves the scenario's own default. */
export function presetStart(content: ScenarioContent, difficulty: Difficulty, variable: string): number | null {
  const preset = content.difficulty.options[difficulty];
  if (!preset) return null;
  if (variable === 'patience') return preset.patience;
  if (variable === 'openness') return preset.disclosure;
  if (variable === 'pressure') return preset.time_pressure;
  return null;
}
