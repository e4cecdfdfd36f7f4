import { expect, test } from 'vitest'
import { longUuid, shortUuid, uuidv7 } from './ids.ts'

test('a UUID in 22 letters is the same UUID again, and what is none stays as it is', () => {
  const id = uuidv7()
  expect(shortUuid(id)).toMatch(/^[\w-]{22}$/)
  expect(longUuid(shortUuid(id))).toBe(id)
  for (const other of [id, '', 'x', '~'.repeat(22)]) expect(longUuid(other)).toBe(other)
})
