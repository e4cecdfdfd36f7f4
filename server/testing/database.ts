import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE } from './global-setup.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A migrated database without rows for one test file; with `bare` it has no tables either. */
export async function createTestDatabase({ bare = false }: { bare?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  // The other strategy writes each page into the log as well.
  await run(server, `create database ${name} template ${bare ? 'template1' : TEMPLATE} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

/** Closes a database to everybody, as while it starts again, until `during` is over. */
export async function whileAway(databaseUrl: string, during: () => Promise<void>): Promise<void> {
  const server = inject('databaseServer')
  const name = new URL(databaseUrl).pathname.slice(1)
  await run(server, `alter database ${name} allow_connections false`)
  // The connection that listens ends last, when the others are gone. Else it could begin again on one that is still open,
  // and clear caches in the middle of a test.
  await run(
    server,
    `with open_connections as materialized (
      select pid from pg_stat_activity where datname = '${name}' order by query ilike 'listen %'
    ) select pg_terminate_backend(pid, 5000) from open_connections`,
  )
  try {
    await during()
  } finally {
    await run(server, `alter database ${name} allow_connections true`)
  }
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
