import { expect, test } from 'vitest'
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
