import { createElement, Fragment, type ReactNode } from 'react'
import { holdMarks } from '../../i18n/french-spaces.ts'

/** Private-use characters, which no sentence contains: one behind the first sign of the address, by which French joins it to the word before, in place of the others; one behind the newsletter’s name. */
const marks = { address: '\uE000', end: '\uE001' }

interface SentenceProps {
  words: (values: { address: string; newsletter: string }) => string
  address?: string
  newsletter: string
}

/** A translated sentence with the address in bold and the newsletter’s name in italics, wherever the language puts them. */
export function Sentence({ words, address = ' ', newsletter: typed }: SentenceProps): ReactNode {
  // As `words` returns it.
  const newsletter = holdMarks(typed)
  const parts = words({ address: address.slice(0, 1) + marks.address, newsletter: newsletter + marks.end })
    .split(/(.\uE000)|(?<=\uE001)/su)
    .filter((part) => part !== undefined)
    .flatMap((part): ReactNode[] => {
      if (part.endsWith(marks.address)) return [createElement('b', null, address)]
      if (!part.endsWith(marks.end)) return [part]
      const text = part.slice(0, -marks.end.length)
      // French may have joined its article to the word before it: « du Fournil ».
      const name = text.endsWith(newsletter) ? newsletter : newsletter.replace(/^Les? /u, '')
      return [text.slice(0, text.length - name.length), createElement('i', null, name)]
    })
  return createElement(Fragment, null, ...parts)
}
