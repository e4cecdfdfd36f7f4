import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { containing } from './containing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function isIn(text: string, part: string): Promise<boolean> {
  const asked: RawBuilder<{ found: boolean }> = sql`select ${text}::text ~* ${containing(part)} as found`
  const { rows } = await asked.execute(app.context.db)
  return rows[0]?.found ?? false
}

test.each([
  ['Zoé Blin', 'zoe bl'],
  ['ÉDITH', 'edith'],
  ['Zoe', 'ZOÉ'],
  ['Le cœur d’Îlse', "coeur d'ilse"],
  ["Le coeur d'Ilse", 'Cœur d’Îl'],
  ['Nguyễn', 'nguyễn'],
  ['5 % de plus', '5 %'],
  ['a.b*c[d](e)|f^g$h\\i', 'B*C[D](E)|F^G$H\\'],
])('%s is found by %s', async (text, part) => {
  expect(await isIn(text, part)).toBe(true)
})

test.each([
  ['Zoé', 'z.é'],
  ['Zoé', 'zoo'],
  ['abc', 'a*'],
  ['abc', '[a]'],
  ['abc', ''.padEnd(3, '(')],
])('%s is not found by %s', async (text, part) => {
  expect(await isIn(text, part)).toBe(false)
})

test('every part of a text finds it', async () => {
  const unit = fc.constantFrom(..."aeioucnyzàâäéèêëîïôöùûüçñœæ’'’ \u00a0.*+?()[]{}|^$\\%_-#019")
  const text = fc.string({ unit, minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(text, text, text, async (before, part, after) => {
      expect(await isIn(`${before}${part}${after}`, part)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
