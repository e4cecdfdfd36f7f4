import { rateDecimals } from '../../format.ts'

/** The difference of two shares as they are shown, in points of a hundred, so that what is read adds up. */
export function pointsBetween(now: number, before: number): number {
  const shown = (share: number) => Number((share * 100).toFixed(rateDecimals(share)))
  return Number((shown(now) - shown(before)).toFixed(2))
}
