import { expect, test } from 'vitest'
import { firstPage, flagsOf, keepProduct } from './flags.ts'

test.each([
  ['/dashboard', { create: false, dashboard: true }],
  ['/publish/create/x7', { create: true, dashboard: false }],
  ['/publish/x7', { create: false, dashboard: false }],
])('%s says %o', (address, flags) => {
  expect(flagsOf(address)).toEqual(flags)
})

test.each([
  ['?product=publish', '/publish'],
  ['?product=advertise', '/advertise'],
  ['?product=charge', '/charge'],
  ['?product=//evil.example', '/dashboard'],
  ['', '/dashboard'],
])('after signing up with %o the first page is %s', (search, page) => {
  expect(firstPage(search)).toBe(page)
})

test('the product is kept, and nothing else', () => {
  expect(keepProduct('/signup', '?product=charge&other=1')).toBe('/signup?product=charge')
  expect(keepProduct('/signup', '?other=1')).toBe('/signup')
})
