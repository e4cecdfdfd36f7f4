/** Nobody subscribed to mail before. */
export const FIRST_DAY = Date.UTC(1990, 0, 1)
const DAY_MS = 86_400_000

const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?(?: UTC| [A-Z]{2,5})?$/

/** Milliseconds since 1970. */
export interface Range {
  from: number
  to: number
}
/** Any day that a field can have. */
export const anyTime: Range = { from: Date.UTC(1, 0, 1), to: Date.UTC(9999, 11, 31) }

/** When somebody can have subscribed or left. */
export const pastOf = (now: Date): Range => ({ from: FIRST_DAY, to: now.getTime() + DAY_MS })

/**
 * ISO 8601 in any length, with a space for the T, as the tools of docs/import.md write it; without a zone it is in UTC.
 *
 * @returns it in UTC with microseconds, or null
 */
export function readTime(cell: string, { from, to }: Range): string | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    isoTime.exec(cell) ?? []
  if (!year) return null
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  if (!(ms >= from && ms <= to)) return null
  // JavaScript makes 3 March of 31 February.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return null
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}
