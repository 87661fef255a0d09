/**
 * Whether a Prefer header asks for an answer at once, of which the rest comes later. RFC 7240: preferences are separated by
 * commas, each may have parameters.
 */
export const prefersAsync = (prefer: string | undefined): boolean =>
  (prefer ?? '').split(/[,;]/).some((one) => one.trim().toLowerCase() === 'respond-async');
