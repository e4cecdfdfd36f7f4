import { expect, test } from 'vitest'
import { nightAccent, readableAccent } from './accent.ts'

test('an accent that is readable on white stays as it is', () => {
  expect(readableAccent('#0C5C5A')).toBe('#0c5c5a')
})

test('a light accent is darkened for light pages, a dark one is lightened for dark pages', () => {
  expect(readableAccent('#FFE08A')).not.toBe('#ffe08a')
  expect(nightAccent('#0C5C5A')).not.toBe('#0c5c5a')
})
