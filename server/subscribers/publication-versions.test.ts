import { expect, test } from 'vitest'
import { PublicationVersions } from './publication-versions.ts'

test('a version changes with every change of its own newsletter, and with no other', () => {
  const versions = new PublicationVersions()
  const seen = [versions.of('a')]
  for (let change = 0; change < 3; change++) {
    versions.advance('a')
    versions.advance('b')
    seen.push(versions.of('a'))
  }
  expect(new Set(seen).size).toBe(4)
  const before = versions.of('a')
  versions.advance('b')
  expect(versions.of('a')).toBe(before)
})

test('a newsletter beyond the limit is forgotten, and never has an earlier version again', () => {
  const versions = new PublicationVersions(2)
  const seen = [versions.of('a')]
  for (const others of ['bc', 'de', 'fg']) {
    versions.advance('a')
    seen.push(versions.of('a'))
    for (const other of others) versions.advance(other)
    expect(versions.of('a')).toBe(versions.of('never changed'))
    seen.push(versions.of('a'))
  }
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(new Set([seen[0], seen[1], seen[3], seen[5]]).size).toBe(4)
})
