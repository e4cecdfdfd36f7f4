import type { BenchServer } from './server.ts'

/** One line of the table: a claim, its limit and its measurement. */
export interface Measure {
  claim: string
  promised: string
  measured: string
  kept: boolean
  note?: string
}

export interface Claim {
  /** A part of a group has a colon: `delivery:wire`. */
  name: string
  /** @param server starts the server that all claims share, at the first call */
  measure(server: () => Promise<BenchServer>): Promise<Measure[]>
}

export const thousands = (n: number): string => Math.round(n).toLocaleString('en-GB')

/** Prints the table. The exit code of the process becomes 1 when a promise is broken. */
export function printTable(measures: Measure[]): void {
  const width = (pick: (measure: Measure) => string) => Math.max(...measures.map((measure) => pick(measure).length))
  const [first, second] = [width(({ claim }) => claim), width(({ promised }) => promised)]
  for (const { claim, promised, measured, kept } of measures) {
    console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${claim.padEnd(first)}  ${promised.padEnd(second)}  ${measured}`)
  }
  if (measures.some(({ kept }) => !kept)) process.exitCode = 1
}
