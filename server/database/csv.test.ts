import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { withValues } from './csv.ts'

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
