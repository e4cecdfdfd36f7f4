import { expect, test } from 'vitest'
import { nightAccent, readableAccent } from './accent.ts'

test('an accent that can be read on white stays as it is', () => {
  expect(readableAccent('#0C5C5A')).toBe('#0c5c5a')
})

test('a light accent is darkened, a dark one is lightened for the night', () => {
  expect(readableAccent('#FFE08A')).not.toBe('#ffe08a')
  expect(nightAccent('#0C5C5A')).not.toBe('#0c5c5a')
})
