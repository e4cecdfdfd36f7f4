import type { House } from './house.ts'

/** One line of the table: what was promised, and what was measured. */
export interface Measure {
  claim: string
  promised: string
  measured: string
  kept: boolean
  note?: string
}

export interface Claim {
  name: string
  measure(house: House): Promise<Measure[]>
}

export const thousands = (n: number): string => Math.round(n).toLocaleString('en-GB')
