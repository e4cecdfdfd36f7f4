import { type DestinationStream, type Level, type Logger, pino } from 'pino'

/**
 * Writes JSON lines, to standard output unless a destination is given. PostgreSQL repeats the values of a row in `detail` and `where`
 * of its errors (an address that exists already), so these stay out.
 */
export const createLogger = (level: Level | 'silent', destination?: DestinationStream): Logger => {
  const options = { level, redact: { paths: ['err.detail', 'err.where'], remove: true } }
  return destination ? pino(options, destination) : pino(options)
}
