/**
 * One letter of a script that puts no spaces between words, as the source of a regular expression with the flag `u`
 * (names of scripts: Unicode Standard Annex 24).
 */
export const UNSPACED_LETTER = String.raw`[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}\p{Script=Thai}\p{Script=Laoo}\p{Script=Khmr}\p{Script=Mymr}]`;
