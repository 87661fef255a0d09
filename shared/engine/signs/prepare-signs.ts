import type { Sign } from '@parley/shared/contracts';
import { readLine } from './line-reading';
import { matchSign } from './match-signs';

/** Has something of every sign, so that all patterns are compiled by it. */
const SAMPLE: Readonly<Record<string, string>> = {
  en: 'Sorry, thanks, maybe we could always talk about 53,000 on Friday? You never listen, it is your fault, you idiot, so what do you need? I should have asked you, or else I quit!',
  de: 'Entschuldige, danke, vielleicht reden wir immer am Freitag über dreiundfünfzigtausend? Du hörst nie zu, das ist deine Schuld, du Idiot, was brauchst du? Ich hätte dich fragen sollen, sonst gehe ich!',
};

/**
 * Loads and compiles what some signs need, so that the first line of a talk need not wait for it: about a tenth of a second.
 * Only speed depends on it.
 * @param language of the session, as a tag
 */
export function prepareSigns(signs: readonly Sign[], language: string): void {
  const sample = SAMPLE[language.toLowerCase().split(/[-_]/, 1)[0] ?? ''] ?? '';
  const reading = readLine(sample, {
    language,
    lastNpcLine: 'Let us talk about it.',
    events: {},
    names: [],
    line: 1,
    earlierLines: [sample],
  });
  for (const sign of signs) matchSign(sign, reading);
}
