import { expect, test } from 'vitest'
import { findCycles } from './cycles.ts'

const edgesOf = (graph: Record<string, string[]>) =>
  Object.entries(graph).flatMap(([from, all]) => all.map((to) => ({ from, to })))

test('a circle is found wherever it is entered, and shared files are none', () => {
  const shared = { a: ['b', 'c'], b: ['d'], c: ['d'] }
  expect(findCycles(edgesOf(shared))).toEqual([])
  expect(findCycles(edgesOf({ ...shared, d: ['e'], e: ['b'] }))).toEqual([['b', 'd', 'e', 'b']])
  expect(findCycles(edgesOf({ a: ['a'] }))).toEqual([['a', 'a']])
})
