import { expect, test } from 'vitest'
import { nightAccent, readableAccent } from './accent.ts'

test('an accent that is readable on white stays as it is', () => {
  expect(readableAccent('#0C5C5A').toLowerCase()).toBe('#0c5c5a')
})

test('a light accent is darkened for light pages, a dark one is lightened for dark pages', () => {
  expect(readableAccent('#FFE08A')).not.toMatch(/#ffe08a/i)
  expect(nightAccent('#0C5C5A')).not.toMatch(/#0c5c5a/i)
})

test('what is not a colour yet, while it is typed, is the default', () => {
  expect(readableAccent('#0C')).toBe(readableAccent('#0C5C5A'))
})
