import type { ScenarioContent } from '@parley/shared/contracts';
import { neutraliseLine } from './neutralise';

type Bands = ScenarioContent['bands'][string];

/**
 * What each variable means in words now, where its author wrote bands: a small model plays "short answers, looks at the
 * clock" better than "patience 22". The first band whose bound is above the value counts.
 */
export function bandsInWords(content: ScenarioContent, values: Readonly<Record<string, number>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const bands: Bands = Object.hasOwn(content.bands, name) ? (content.bands[name] ?? []) : [];
    const band = bands.find(({ below }) => value < below);
    return band === undefined ? [] : [`- ${neutraliseLine(band.text)}`];
  });
}
