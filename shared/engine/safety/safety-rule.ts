/** One rule of the classifier: a category, what shows it, and what shows that it is something else. */
export interface SafetyRule {
  category: string;
  shows: RegExp;
  /** Harmless phrases that hold the same words; they are taken out before the rule looks. */
  harmless?: RegExp;
}

/** Patterns read the normal form: lower case, without accents (ü is u), plain apostrophes. Keep gaps bounded. */
export const rule = (category: string, shows: string, harmless?: string): SafetyRule => ({
  category,
  shows: new RegExp(shows),
  ...(harmless ? { harmless: new RegExp(harmless, 'g') } : {}),
});
