import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { harmless, withoutGuard, withValues } from './csv.ts'

test('values become literals of the same meaning, whatever characters they contain', async () => {
  const { context, stop } = await startTestApp()
  try {
    for (const value of ["l'été", 'a\\b', "'; drop table user; --", '$1', '']) {
      const text = withValues(sql`select ${value}::text as value, ${7} as n, ${true} as yes`.compile(context.db))
      const { rows } = await context.pool.query(text)
      expect(rows).toEqual([{ value, n: 7, yes: true }])
    }
    expect(() => withValues(sql`select ${new Date()}`.compile(context.db))).toThrow('literal')
  } finally {
    await stop()
  }
})

test('no spreadsheet finds a formula in a text, and taking the apostrophes away gives the text again', async () => {
  const { context, stop } = await startTestApp()
  try {
    const sign = fc.constantFrom(...'=+-@＝＋－＠;\t\r\n\'" a1\\,é'.split(''))
    const texts = fc.sample(fc.string({ unit: sign, maxLength: 8 }), { numRuns: 5_000, seed: 7 })
    const written = await context.pool.query<{ text: string }>(
      `select ${harmless('v')} as text from unnest($1::text[]) with ordinality as given (v, place) order by place`,
      [texts],
    )
    const unsafe = /(?:^|[;\r\n])(?!')["' ]*[=+\-@＝＋－＠\t]/
    for (const [place, { text }] of written.rows.entries()) {
      expect(unsafe.exec(text)?.[0] ?? null).toBe(null)
      expect(withoutGuard(text)).toBe(texts[place])
    }
    const same = ["'t Hooft", '’t Hooft', 'a=b', 'ada@example.com', 'x;y', '']
    for (const text of same) {
      const { rows } = await context.pool.query(`select ${harmless('v')} as text from (select $1::text as v) given`, [
        text,
      ])
      expect(rows).toEqual([{ text }])
    }
  } finally {
    await stop()
  }
})
