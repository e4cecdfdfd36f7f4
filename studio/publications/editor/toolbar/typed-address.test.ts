import { expect, test } from 'vitest'
import { blockOf, draftOf, sameDraft } from '../draft.ts'
import { addressFromTyped } from './typed-address.ts'

test.each([
  ['example.org', 'https://example.org'],
  [' example.org/a?b=c#d ', 'https://example.org/a?b=c#d'],
  ['https://example.org', 'https://example.org'],
  ['ines@example.org', 'mailto:ines@example.org'],
  ['+33 2 98 00 00 00', 'tel:+33298000000'],
  ['javascript:alert(1)', null],
  ['data:text/html,hello', null],
  ['two words', null],
  ['', null],
])('%j becomes %j', (typed, address) => {
  expect(addressFromTyped(typed)).toBe(address)
})

test('drafts are the same whatever the order of their keys', () => {
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

test('the place of a problem names a block', () => {
  expect(blockOf('content[3].content[0].marks[1]')).toBe(4)
  expect(blockOf('')).toBeNull()
})
