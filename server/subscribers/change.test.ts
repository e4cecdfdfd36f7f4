import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const server = join(import.meta.dirname, '..')

/** Files that may write beside `change.ts`, each with its reason. */
const exceptions = new Map([
  ['seed/audience.ts', 'writes years of history at once, about which no webhook and no mail may go out'],
  ['seed/readership.ts', 'the openings of that history'],
  ['seed/seed.ts', 'the suppressions of that history'],
])

const writes = [
  /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(subscriber|consent|suppression)\b/i,
  /\b(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(subscriber|consent|suppression)\b/,
  /\b(insert\s+into|merge\s+into)\s+event\b|\b(insertInto|mergeInto)\(\s*'event\b/i,
]

const writers = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('testing/'))
  .filter((path) => writes.some((write) => write.test(readFileSync(join(server, path), 'utf8'))))

test('subscribers, consent receipts, suppressions and events have one writer', () => {
  expect(writers.filter((path) => !exceptions.has(path))).toEqual(['subscribers/change.ts'])
})

test('the exceptions to it are needed', () => {
  expect([...exceptions.keys()].filter((path) => !writers.includes(path))).toEqual([])
})
