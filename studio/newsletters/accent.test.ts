import { expect, test } from 'vitest'
import { accentStyle } from './accent.ts'

test('an accent that is readable on white stays as it is', () => {
  expect(accentStyle('#0C5C5A').accent.toLowerCase()).toBe('#0c5c5a')
})

test('a light accent is darkened for light pages, a dark one is lightened for dark pages', () => {
  expect(accentStyle('#FFE08A').accent).not.toMatch(/#ffe08a/i)
  expect(accentStyle('#0C5C5A').accentNight).not.toMatch(/#0c5c5a/i)
})

test('what is not a colour yet, while it is typed, is the default', () => {
  expect(accentStyle('#0C')).toEqual(accentStyle('#0C5C5A'))
})
