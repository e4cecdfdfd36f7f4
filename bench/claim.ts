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
  /** With a colon when it is a part of something: `delivery:wire`. */
  name: string
  /** The house that claims share is started by the first that asks for it. */
  measure(house: () => Promise<House>): Promise<Measure[]>
}

export const thousands = (n: number): string => Math.round(n).toLocaleString('en-GB')
