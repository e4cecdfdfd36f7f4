import { expect, test } from 'vitest'
import { addressOf, askedOf, choiceOf, faultOf } from './range-choice.ts'

const today = '2026-11-23'
const read = (address: string) => choiceOf(new URLSearchParams(address), today)

test.each([
  ['', { from: '2026-09-01', to: today }],
  ['range=4', { from: '2026-10-27', to: today }],
  ['range=52', { from: '2025-11-25', to: today }],
  ['range=all', { from: 'first', to: today }],
  ['range=nonsense', { from: '2026-09-01', to: today }],
  ['from=2026-01-01&to=2026-03-31', { from: '2026-01-01', to: '2026-03-31' }],
  ['from=2026-03-31&to=2026-01-01', { from: '2026-09-01', to: today }],
])('“%s” asks for %o', (address, asked) => {
  expect(askedOf(read(address), today)).toEqual(asked)
})

test.each(['', 'range=4', 'range=all', 'from=2026-01-01&to=2026-03-31'])('“%s” comes back as it was', (address) => {
  expect(new URLSearchParams(addressOf(read(address))).toString()).toBe(address)
})

test('ten years can be asked for, and not more', () => {
  expect(faultOf({ from: '2016-11-24', to: today })).toBe(null)
  expect(faultOf({ from: '2010-01-01', to: today })).toBe('tooLong')
})

test.each([
  ['2026-12-20', '2026-11-30', 'noRange'],
  ['', '2026-11-30', 'noDay'],
  ['1999-12-31', '2026-11-30', 'noDay'],
])('from %s to %s: %s', (from, to, fault) => {
  expect(faultOf({ from, to })).toBe(fault)
})
