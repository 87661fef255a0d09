/** Names of months, long and short, in the languages that signs know. */
export const MONTH_WORDS: ReadonlySet<string> = new Set(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember'.split(
    ' ',
  ),
);
