import type { DayOrder } from './contract.ts'

const numbered =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:(?:[T,]\s*|\s+)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AP])\.?M\.?)?)?$/i

/** What the numbered days of a file prove about which of the two comes first, cell by cell. */
export class DayEvidence {
  #dayFirst = false
  #monthFirst = false
  #ambiguous: Ambiguous | null = null

  add(cell: string, { line, column }: Omit<Ambiguous, 'cell'>): void {
    const found = readings(cell)
    if (!found || found.day_first === found.month_first) return
    if (found.month_first === null) this.#dayFirst = true
    else if (found.day_first === null) this.#monthFirst = true
    else this.#ambiguous ??= { cell, line, column }
  }

  /** `mixed` when both orders are proven, null when neither is. */
  get order(): DayOrder | 'mixed' | null {
    if (this.#dayFirst && this.#monthFirst) return 'mixed'
    if (this.#dayFirst) return 'day_first'
    return this.#monthFirst ? 'month_first' : null
  }

  /** The first cell with two meanings between which nothing decides. */
  get unproven(): Ambiguous | null {
    return this.order === null ? this.#ambiguous : null
  }
}

interface Ambiguous {
  cell: string
  line: number
  column: number
}

/**
 * A day such as 19/01/2025, 1-19-2025 or 19.01.2025 14:30 as ISO 8601 writes it.
 *
 * @param order null when it is not known: only a day with one meaning is read then
 * @returns null for everything else, and for days that there are not
 */
export function isoOf(cell: string, order: DayOrder | null): string | null {
  const found = readings(cell)
  if (!found) return null
  if (order) return found[order]
  return isAmbiguous(found) ? null : (found.day_first ?? found.month_first)
}

/** Whether it is one day or another, depending on which number is the month. */
export function hasTwoMeanings(cell: string): boolean {
  const found = readings(cell)
  return found !== null && isAmbiguous(found)
}

/** Whether it is written as a day, and the calendar has no such day in either order: 31 February. */
export function isNoDay(cell: string): boolean {
  const found = readings(cell)
  if (found) return found.day_first === null && found.month_first === null
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(cell) ?? []
  return day !== undefined && !isDay(day)
}

type Readings = Record<DayOrder, string | null>

const isAmbiguous = ({ day_first, month_first }: Readings): boolean =>
  day_first !== null && month_first !== null && day_first !== month_first

function readings(cell: string): Readings | null {
  const [, one = '', , other = '', year, hour = '0', minute = '00', second = '00', half] = numbered.exec(cell) ?? []
  if (!year) return null
  const hours = hourOf(Number(hour), half?.toUpperCase())
  if (hours === null || Number(minute) > 59 || Number(second) > 59) return null
  const inOrder = (day: string, month: string): string | null => {
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    return isDay(date) ? `${date}T${String(hours).padStart(2, '0')}:${minute}:${second}` : null
  }
  return { day_first: inOrder(one, other), month_first: inOrder(other, one) }
}

/** Of 24, from an hour with or without AM or PM. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'P' ? 12 : 0)
}

/** JavaScript makes 3 March of 31 February. */
function isDay(date: string): boolean {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
