import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typeset } from '../server/publications/document/typography.ts'
import { holdMarks } from './french-spaces.ts'

test.each([
  ['L’heure d’hiver : une heure de trop ?', 'L’heure d’hiver\u00a0: une heure de trop\u202f?'],
  ['Il dit « oui »   ; et puis !', 'Il dit «\u00a0oui\u00a0»\u202f; et puis\u202f!'],
  ['What now? At 10: "yes"', 'What now? At 10: "yes"'],
  [' ?', ' ?'],
])('no line begins with a mark: %s', (typed, read) => {
  expect(holdMarks(typed)).toBe(read)
})

test('what is held once is held, and a text that is set for its language stays as it is', () => {
  const marks = fc.string({ unit: fc.constantFrom('a', ' ', ':', '?', '«', '»', '!', '1', '\n') })
  fc.assert(
    fc.property(marks, (text) => {
      expect(holdMarks(holdMarks(text))).toBe(holdMarks(text))
      expect(holdMarks(typeset(text, 'fr'))).toBe(typeset(text, 'fr'))
    }),
  )
})
