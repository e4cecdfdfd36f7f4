const MAX_LENGTH = 80

/** What somebody typed as the last part of an address: `L’heure d’été` becomes `l-heure-d-ete`. Empty when nothing is left. */
export const slugFrom = (typed: string): string =>
  typed
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
