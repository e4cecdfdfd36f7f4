/** What stands behind a name and is none: “Ada Lovelace, PhD”. */
const title = /^(?:jr|sr|i{2,3}|iv|phd|md|esq|dds|mba|cpa)$/i

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** The first name in a whole one, which may be written “Lovelace, Ada” as in an address book. Null when there is none. */
export function firstName(name: string): string | null {
  const [front = '', ...behind] = name.split(',')
  const given = words(behind.join(' ')).filter((word) => !title.test(word.replaceAll('.', '')))
  return given[0] ?? words(front)[0] ?? null
}
