/**
 * The language in which this browser's reader wants to play, as a code such as de. Packs have languages of their own: a
 * talk in it is offered even where the page's words are not there yet; what a pack does not have, it plays in its first.
 */
export function wishedLanguage(languages: readonly string[] = navigator.languages): string | undefined {
  const code = languages[0]?.split('-', 1)[0]?.toLowerCase();
  return code !== undefined && /^[a-z]{2,3}$/.test(code) ? code : undefined;
}
