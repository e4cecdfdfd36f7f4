import { createElement, Fragment, type ReactNode } from 'react'

/** Private-use characters, which no sentence contains, in place of what is emphasised. */
const marks = { address: '\uE000', newsletter: '\uE001' }

interface SentenceProps {
  words: (values: { address: string; newsletter: string }) => string
  address?: string
  newsletter: string
}

/** A translated sentence with the address in bold and the newsletter’s name in italics, wherever the language puts them. */
export function Sentence({ words, address, newsletter }: SentenceProps): ReactNode {
  const parts = words(marks)
    .split(/([\uE000\uE001])/)
    .map((part) => {
      if (part === marks.address) return createElement('b', null, address)
      return part === marks.newsletter ? createElement('i', null, newsletter) : part
    })
  return createElement(Fragment, null, ...parts)
}
