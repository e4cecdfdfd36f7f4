import { codeOf } from '../start-error.ts'

const codes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  // It is there and cannot write now: its disk is full, its memory is, or it is a standby that waits to be promoted.
  ...['57P01', '57P02', '57P03', '53300', '53100', '53200', '25006'],
])
const sentences =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)|is not currently accepting connections$/

/** Whether a query failed because the database was away. The same query may succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isDatabaseAway)
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    (typeof code === 'string' && (codes.has(code) || code.startsWith('08'))) ||
    sentences.test(error.message) ||
    isDatabaseAway(error.cause)
  )
}

/** Whether the same transaction may succeed at a second attempt: the database was away, or two transactions collided. */
export const mayPass = (error: unknown): boolean =>
  isDatabaseAway(error) || ['40P01', '40001'].includes(String(codeOf(error)))
