/** A text as a search compares it: accents, capitals and the kind of its spaces do not matter. */
export const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
