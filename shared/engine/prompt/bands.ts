import type { ScenarioContent } from '@parley/shared/contracts';
import { neutraliseLine } from './neutralise';

type Bands = ScenarioContent['bands'][string];

const bandsOf = (low: string, middle: string, high: string): Bands => [
  { below: 30, text: low },
  { below: 65, text: middle },
  { below: 101, text: high },
];

/** What the six variables that every scenario has mean where its author wrote no bands. */
const DEFAULT_BANDS: Readonly<Record<string, Bands>> = {
  trust: bandsOf('You weigh your words.', 'You are civil and careful.', 'You believe that they mean well.'),
  patience: bandsOf(
    'Your patience is thin: short answers.',
    'You listen, and want it to go somewhere.',
    'You have time and let them finish.',
  ),
  pressure: bandsOf('Nothing presses you.', 'Other things are waiting.', 'You are under pressure and it shows.'),
  rapport: bandsOf('You keep your distance.', 'You are polite.', 'You like talking with them.'),
  openness: bandsOf('You keep to the surface.', 'You answer what you are asked.', 'You say what is behind it.'),
  objective_progress: bandsOf(
    'Nothing has moved you yet.',
    'You begin to see what they want.',
    'You want to settle it, with who does what.',
  ),
};

/**
 * What each variable means in words now, as its author wrote or, for the six that every scenario has, as ours: a small model plays "short answers, looks at the
 * clock" better than "patience 22". The first band whose bound is above the value counts.
 */
export function bandsInWords(content: ScenarioContent, values: Readonly<Record<string, number>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const bands: Bands = Object.hasOwn(content.bands, name) ? (content.bands[name] ?? []) : (DEFAULT_BANDS[name] ?? []);
    const band = bands.find(({ below }) => value < below);
    return band === undefined ? [] : [`- ${neutraliseLine(band.text)}`];
  });
}
