import type { PostProcessorModule } from 'i18next'
import { isLanguage, type Language } from '../server/languages.ts'

interface Marks {
  /** With the space that stands inside of them. */
  outer: RegExp
  opens: string
  inner: { open: string; close: string }
}

const marks: Record<Language, Marks> = {
  en: { outer: /[“”]/g, opens: '“', inner: { open: '‘', close: '’' } },
  fr: { outer: /«\s?|\s?»/g, opens: '«', inner: { open: '“', close: '”' } },
}

/**
 * A title may have quotation marks of its own, and where a sentence quotes it they are of the second rank: « Pourquoi “l’eau” monte ». i18next
 * calls this after it has put the title there. Marks that are not in pairs stay as they were typed.
 */
export const innerQuotes: PostProcessorModule = {
  type: 'postProcessor',
  name: 'innerQuotes',
  process: (...[sentence, , options, translator]: Parameters<PostProcessorModule['process']>) => {
    const language = options.lng ?? translator.language
    return isLanguage(language) ? ranked(sentence, marks[language]) : sentence
  },
}

function ranked(sentence: string, { outer, opens, inner }: Marks): string {
  let depth = 0
  let arePairs = true
  const written = sentence.replace(outer, (mark) => {
    if (mark.startsWith(opens)) {
      depth += 1
      return depth > 1 ? inner.open : mark
    }
    depth -= 1
    arePairs &&= depth >= 0
    return depth > 0 ? inner.close : mark
  })
  return arePairs && depth === 0 ? written : sentence
}
