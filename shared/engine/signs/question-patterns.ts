/** Patterns of sentences as tokens with one blank between and around them. */
export const startsWith = (source: string): RegExp => new RegExp(`^ ${source} `, 'u');
export const holds = (source: string): RegExp => new RegExp(` (?:${source}) `, 'u');
