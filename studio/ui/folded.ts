/** A text as a search compares it: accents and capitals do not matter. */
export const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
