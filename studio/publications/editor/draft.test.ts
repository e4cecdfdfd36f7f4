import { expect, test } from 'vitest'
import { blockOf, draftOf, sameDraft } from './draft.ts'

test('drafts with the same content are equal, whatever the order of their keys', () => {
  const one = draftOf({
    title: 'A',
    subtitle: '',
    content: { type: 'doc', content: [{ type: 'paragraph', attrs: { a: 1, b: 2 } }] },
  })
  const other = draftOf({
    subtitle: '',
    title: 'A',
    content: { content: [{ attrs: { b: 2, a: 1 }, type: 'paragraph' }], type: 'doc' },
  })
  expect(sameDraft(one, other)).toBe(true)
  expect(sameDraft(one, { ...other, title: 'B' })).toBe(false)
})

test('the path of a problem leads to the number of its block', () => {
  expect(blockOf('content[3].content[0].marks[1]')).toBe(4)
  expect(blockOf('')).toBeNull()
})
