import { sql } from 'kysely'
import type { Db } from './client.ts'

/**
 * Runs a query about many people without joins that compare each with each. Those are fast for few, and PostgreSQL takes many for few
 * when its statistics are from before they came: 10,000 people with a new tag took ten seconds.
 */
export async function withHashJoins<Result>(tx: Db, query: () => Promise<Result>): Promise<Result> {
  await sql`set local enable_nestloop = off`.execute(tx)
  const result = await query()
  await sql`set local enable_nestloop = on`.execute(tx)
  return result
}
