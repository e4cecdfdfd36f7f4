const MAX = 80

/** A title as the last part of an address: French letters without their accents, words joined by hyphens. */
export function slugOf(title: string): string {
  const folded = title
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
  const words = folded.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  if (words.length <= MAX - 4) return words || 'untitled'
  const cut = words.slice(0, MAX - 4)
  return cut.slice(0, cut.lastIndexOf('-') > 20 ? cut.lastIndexOf('-') : undefined).replaceAll(/-+$/g, '')
}

/** The first of `harbour`, `harbour-2`, `harbour-3`… that is free. */
export function freeSlug(title: string, taken: ReadonlySet<string>): string {
  const base = slugOf(title)
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}
