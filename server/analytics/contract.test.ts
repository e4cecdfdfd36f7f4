import { expect, test } from 'vitest'
import { clickersOf } from './contract.ts'

test('how many readers clicked is not known where there are clicks of people, and nobody they are of', () => {
  expect(clickersOf({ human: 59, people: 0 })).toBeNull()
  expect(clickersOf({ human: 59, people: 52 })).toBe(52)
  expect(clickersOf({ human: 0, people: 0 })).toBe(0)
})
