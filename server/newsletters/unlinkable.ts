const LONGEST = 60

/**
 * A name that somebody chose, for a mail to a stranger: short, and without anything that a mail program makes a link of, so that
 * “https://bank.example” is not one.
 */
export function unlinkable(name: string): string {
  const spaced = name.normalize('NFKC').replaceAll(/[.:/\\@。](?=\S)/gu, '$& ')
  const signs = Array.from(spaced.replaceAll(/\s+/g, ' ').trim())
  return signs.length > LONGEST
    ? `${signs
        .slice(0, LONGEST - 1)
        .join('')
        .trim()}…`
    : signs.join('')
}
