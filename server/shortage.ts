import { codeOf } from './start-error.ts'

/** What the machine has run out of, or may not do now. Each ends by itself when there is room again. */
export type Shortage = 'storage_full' | 'read_only' | 'busy'

/** Codes of the operating system, and those of PostgreSQL (its appendix A): disk_full, read_only_sql_transaction, out_of_memory. */
const codes = new Map<unknown, Shortage>([
  ['ENOSPC', 'storage_full'],
  ['EDQUOT', 'storage_full'],
  ['53100', 'storage_full'],
  ['EROFS', 'read_only'],
  ['25006', 'read_only'],
  ['EMFILE', 'busy'],
  ['ENFILE', 'busy'],
  ['53200', 'busy'],
])

/** The shortage for which something failed, here or in the database, or null. */
export function shortageIn(error: unknown): Shortage | null {
  if (error instanceof AggregateError) return error.errors.map(shortageIn).find((found) => found !== null) ?? null
  if (!(error instanceof Error)) return null
  return codes.get(codeOf(error)) ?? shortageIn(error.cause)
}
