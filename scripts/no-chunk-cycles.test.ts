import { expect, test } from 'vitest'
import { findCycle } from './no-chunk-cycles.ts'

test('a circle is found wherever it is entered, and shared files are none', () => {
  const shared = { a: ['b', 'c'], b: ['d'], c: ['d'] }
  expect(findCycle(new Map(Object.entries(shared)))).toBeNull()
  expect(findCycle(new Map(Object.entries({ ...shared, d: ['e'], e: ['b'] })))).toEqual(['b', 'd', 'e', 'b'])
  expect(findCycle(new Map([['a', ['a']]]))).toEqual(['a', 'a'])
})
