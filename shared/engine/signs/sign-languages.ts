import type { Sign } from '@parley/shared/contracts';

/** Languages in which a sign can be found: tags such as `en`, or `any` where the language does not matter. */
export type SignLanguages = readonly string[] | 'any';

const BOTH = ['en', 'de'] as const;

/** Which languages a sign knows. In others a move that needs it falls back to the model's word (judging: signs). */
export function signLanguages(sign: Sign): SignLanguages {
  if (sign.words !== undefined || sign.line !== undefined) return 'any';
  if (sign.tone !== undefined) return sign.tone.every((tone) => tone === 'shouting') ? 'any' : BOTH;
  if (sign.any !== undefined) return common(sign.any);
  if (sign.all !== undefined) return common(sign.all);
  if (sign.not !== undefined) return signLanguages(sign.not);
  return BOTH;
}

function common(signs: readonly Sign[]): SignLanguages {
  return signs
    .map(signLanguages)
    .reduce(
      (all, one) => (all === 'any' ? one : one === 'any' ? all : all.filter((language) => one.includes(language))),
      'any',
    );
}

/**
 * Whether every sign of a list can be found in a language.
 * @param language of the session, as a tag; `en-GB` is `en`
 */
export function knowsLanguage(signs: readonly Sign[], language: string): boolean {
  const known = common(signs);
  return known === 'any' || known.includes(language.toLowerCase().split(/[-_]/, 1)[0] ?? '');
}
