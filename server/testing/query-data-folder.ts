import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Asks the database server that runs on a data folder, past its program. */
export async function queryDataFolder<Row extends pg.QueryResultRow>(
  folder: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const password = readFileSync(join(folder, 'postgres.password'), 'utf8').trim()
  const [, , , port] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const address = `postgres://tirage:${password}@127.0.0.1:${port}/tirage`
  const client = new pg.Client({ connectionString: address }).on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}
