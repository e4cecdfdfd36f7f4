/** What the API takes. */
const MAX = 80
/** Of what is made from a title: room for a number behind it. */
const MAX_OF_TITLE = MAX - 4

/** Latin letters without their accents, words joined by hyphens. */
const hyphenated = (text: string): string =>
  text
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .replaceAll(/ß/gi, 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    // English ends words so, and French begins them so: `the reader’s` is `the-readers`, `l’heure` is `l-heure`.
    .replaceAll(/(?<=[a-z])['’](?=(?:s|t|d|m|re|ve|ll)(?![a-z0-9]))/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** What somebody typed as the last part of an address: `L’heure d’été` becomes `l-heure-d-ete`. Empty when nothing is left. */
export const slugFrom = (typed: string): string => hyphenated(typed).slice(0, MAX).replaceAll(/-+$/g, '')

/** A title as the last part of an address: a long one is cut after a word, and one without Latin letters is `untitled`. */
export const slugOf = (title: string): string => wordsOf(title, MAX_OF_TITLE) || 'untitled'

/** The same in at most so many signs; empty without Latin letters. */
export function wordsOf(title: string, most: number): string {
  const words = hyphenated(title)
  if (words.length <= most) return words
  const cut = words.slice(0, most)
  return cut.slice(0, cut.lastIndexOf('-') > 20 ? cut.lastIndexOf('-') : undefined).replaceAll(/-+$/g, '')
}

/** The first of `harbour`, `harbour-2`, `harbour-3`… that is free. */
export function freeSlug(title: string, taken: ReadonlySet<string>): string {
  const base = slugOf(title)
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}
