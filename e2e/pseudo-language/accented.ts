const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const marked = [...'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ']

/** What code reads in a sentence: placeholders, tags, and other sentences that it names. */
const forCode = /(\{\{[^}]*\}\}|<[^>]*>|\$t\([^)]*\))/

/** `Save` becomes `[Šåṽé]`: still readable, with no plain Latin letter left. Placeholders and tags stay as they are. */
export function accented(sentence: string): string {
  const parts = sentence.split(forCode).map((part, index) => (index % 2 === 0 ? accent(part) : part))
  return `[${parts.join('')}]`
}

const accent = (text: string) => [...text].map((letter) => marked[plain.indexOf(letter)] ?? letter).join('')

type Sentences = { [key: string]: string | Sentences }

/** A whole catalogue of sentences in the pseudo-language. */
export function accentedAll(sentences: Sentences): Sentences {
  return Object.fromEntries(
    Object.entries(sentences).map(([key, value]) => [
      key,
      typeof value === 'string' ? accented(value) : accentedAll(value),
    ]),
  )
}
