/** Chooses the word for a number: `one` for 1 in English, `other` for the rest. */
export const plural = (count: number, one: string, other: string): string => (count === 1 ? one : other);
