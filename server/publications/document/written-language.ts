import { type Language, languages } from '../../languages.ts'
import { documentText } from './document-text.ts'
import type { PublicationDocument } from './schema.ts'

/** Frequent words that no other language here has. */
const commonWords: Record<Language, string> = {
  en: 'the and of to is that it with was this are from you have not they be by which were has their we what there been',
  fr: 'le la les des et une est que dans pour qui sur du avec ce pas au nous vous il elle cette aux sont mais leur été où',
}

/** Fewer of them say nothing. */
const LEAST = 8
/** A text in one language has words of others: titles, names, quotations. */
const CLEARLY = 4

/** The language that a document is clearly written in, when it is another one than it says; else null. */
export function writtenInAnother(document: PublicationDocument, said: Language): Language | null {
  const words =
    documentText(document)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const counts = languages.map((language) => {
    const common = new Set(commonWords[language].split(' '))
    return { language, times: words.filter((word) => common.has(word)).length }
  })
  const own = counts.find(({ language }) => language === said)?.times ?? 0
  const [most] = counts.toSorted((one, other) => other.times - one.times)
  return most && most.language !== said && most.times >= LEAST && most.times >= CLEARLY * own ? most.language : null
}
