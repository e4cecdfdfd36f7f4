/** Days of a newsletter's calendar, both included, as `2026-11-22`. */
export interface Range {
  from: string
  to: string
}

export type Span = 'day' | 'month'

/** Rows of the counted figures: those of days, or those of months, named by their first day. */
export interface Piece extends Range {
  span: Span
}

const DAY_MS = 86_400_000
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** So many days later; earlier when the number is negative. */
export const daysLater = (day: string, days: number): string => dayOf(timeOf(day) + days * DAY_MS)

export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** The first day of the month that is so many months later. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 1 + months, 1))
}

export const lastOfMonth = (day: string): string => daysLater(monthsLater(day, 1), -1)

export const countDays = ({ from, to }: Range): number => Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1

/** How many calendar months the range touches. */
export const countMonths = ({ from, to }: Range): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1

const isWholeMonths = ({ from, to }: Range): boolean => from === monthOf(from) && to === lastOfMonth(to)

/** The range of the same length that ends where this one begins: as many months when they are whole ones, as many days otherwise. */
export const rangeBefore = (range: Range): Range => ({
  from: isWholeMonths(range) ? monthsLater(range.from, -countMonths(range)) : daysLater(range.from, -countDays(range)),
  to: daysLater(range.from, -1),
})

/** The rows whose sum is the range: its whole months, and the days before and after them. Each day is in exactly one. */
export function piecesOf({ from, to }: Range): Piece[] {
  const first = from === monthOf(from) ? from : monthsLater(from, 1)
  const last = to === lastOfMonth(to) ? monthOf(to) : monthsLater(to, -1)
  if (first > last) return from <= to ? [{ span: 'day', from, to }] : []
  return [
    ...(from < first ? [{ span: 'day' as const, from, to: daysLater(first, -1) }] : []),
    { span: 'month', from: first, to: last },
    ...(lastOfMonth(last) < to ? [{ span: 'day' as const, from: monthsLater(last, 1), to }] : []),
  ]
}

/** Everything before a day: earlier than any newsletter is. */
export const everythingBefore = (day: string): Range => ({ from: '2000-01-01', to: daysLater(day, -1) })

/** The days or months of a range, each by its first day in the range. */
export function stepsOf({ from, to }: Range, by: Span): string[] {
  if (by === 'day') return Array.from({ length: countDays({ from, to }) }, (_, index) => daysLater(from, index))
  return Array.from({ length: countMonths({ from, to }) }, (_, index) => monthsLater(from, index))
}

/** The equal parts of a range that a line in miniature is drawn of: one a day, at most so many. */
export const partsOf = (range: Range): number => Math.min(12, countDays(range))

/** The days of each of those parts, as `partOf` in `pieces.ts` divides them. */
export const rangesOfParts = (range: Range): Range[] => {
  const [days, parts] = [countDays(range), partsOf(range)]
  const first = (part: number) => Math.ceil((part * days) / parts)
  return Array.from({ length: parts }, (_, part) => ({
    from: daysLater(range.from, first(part)),
    to: daysLater(range.from, first(part + 1) - 1),
  }))
}

/** Sums of parts of a range, each by its number from 0, as one list with every part. */
export const inParts = (range: Range, sums: { part: number; net: number }[]): number[] =>
  Array.from({ length: partsOf(range) }, (_, part) => sums.find((sum) => sum.part === part)?.net ?? 0)

/** The day in a timezone. */
export const dayIn = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment)
