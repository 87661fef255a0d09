/**
 * The package's own types are marked as those of an ECMAScript module, although `require` gets CommonJS. Only what is used
 * stands here.
 */
declare module '@orama/stemmers/english' {
  export function stemmer(word: string): string;
}
declare module '@orama/stemmers/german' {
  export function stemmer(word: string): string;
}
