import type { ScenarioContent } from '@parley/shared/contracts';

type Preset = ScenarioContent['difficulty']['options'][keyof ScenarioContent['difficulty']['options']];

/** What a number of a preset makes the character do up to the lower and from the upper bound; between them it is ordinary. */
const WORDS = {
  patience: {
    bounds: [50, 80],
    low: 'Vague or repeated words cost you your patience at once.',
    high: 'You give them a second try.',
  },
  volatility: {
    bounds: [40, 60],
    low: 'You stay even, whatever is said.',
    high: 'A wrong word sets you off; one good word does not bring you back.',
  },
  disclosure: {
    bounds: [30, 60],
    low: 'You answer no more than was asked.',
    high: 'You tell more than was asked.',
  },
  time_pressure: {
    bounds: [15, 55],
    low: 'You have time.',
    high: 'You must be elsewhere soon, and it shows.',
  },
} as const;

/**
 * What the four numbers of a difficulty preset mean for the character's conduct, in words: a model plays "you tell nothing
 * that was not asked for" and cannot play "disclosure 15". Numbers in the middle, and those an author left out, say nothing.
 */
export function presetInWords(preset: Preset | undefined): string[] {
  if (preset === undefined) return [];
  return Object.entries(WORDS).flatMap(
    ([
      name,
      {
        bounds: [lower, upper],
        low,
        high,
      },
    ]) => {
      const value = preset[name as keyof typeof WORDS];
      if (value === null || (value > lower && value < upper)) return [];
      return [value <= lower ? low : high];
    },
  );
}
