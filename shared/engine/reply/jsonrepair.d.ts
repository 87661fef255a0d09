/**
 * The package ships CommonJS code but types that TypeScript takes for ES modules only, so a CommonJS project cannot
 * import it by them. This says the one function that is used.
 */
declare module 'jsonrepair' {
  /** Throws when the text cannot be made JSON. */
  export function jsonrepair(text: string): string;
}
