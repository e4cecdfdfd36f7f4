import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { codeOf } from '../start-error.ts'
import { segmentLimits } from './filter/contract.ts'

const UNIQUE_VIOLATION = '23505'

/** How many of each a newsletter can have, and the error beyond it. */
const room = {
  tag: [segmentLimits.tags, 'too_many_tags'],
  custom_field: [segmentLimits.fields, 'too_many_fields'],
  segment: [segmentLimits.segments, 'too_many_segments'],
} as const satisfies Record<string, readonly [number, ErrorCode]>

/**
 * Refuses one more of what a newsletter has enough of. The newsletter stays locked until the transaction ends, so that
 * requests at the same moment are counted one after the other.
 *
 * @throws AppError too_many_tags, too_many_fields, too_many_segments
 */
export async function requireRoom(tx: Db, newsletterId: string, table: keyof typeof room): Promise<void> {
  await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
  const [maximum, code] = room[table]
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where newsletter_id = ${newsletterId}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= maximum) throw new AppError(code, { params: { maximum } })
}

/** @throws AppError name_taken, at the field that the database's index refused */
export async function namedOnce<T>(change: Promise<T>, fieldOf: (index: string) => string): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
    const index = error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
    throw new AppError('name_taken', { field: fieldOf(index), cause: error })
  }
}
