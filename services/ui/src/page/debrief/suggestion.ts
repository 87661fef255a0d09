/** What a retry is for: a better line where `isLine`, else advice in words. */
export interface Suggestion {
  readonly suggestion: string;
  readonly isLine: boolean;
}
