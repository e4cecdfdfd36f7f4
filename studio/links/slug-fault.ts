/** The first letter of a typed address of a short link that none can have, and an address that would do; null when there is no such letter. */
export function slugFault(slug: string): { letter: string; better: string | null } | null {
  const letter = slug.normalize('NFC').match(/[^A-Za-z0-9_-]/u)?.[0]
  if (letter === undefined) return null
  const better = slug
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return { letter, better: better.length < 3 ? null : better }
}
