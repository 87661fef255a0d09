import { DIFFICULTIES, type Difficulty, type ScenarioContent } from '@parley/shared/contracts';

/**
 * The presets that a session of this scenario may be created with, in the order warm to adversarial. A scenario with a
 * difficulty block offers what it lists; one without it takes all four, without effect (pack format).
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
  const base = definition.max_delta_per_turn;
  const volatility = content.difficulty.options[difficulty]?.volatility ?? null;
  if (volatility === null || base < 1) return base;
  return Math.max(1, Math.floor((base * (50 + volatility) + 50) / 100));
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
