/** A number with its noun: 1 pack, 2 packs. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
