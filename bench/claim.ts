import type { BenchServer } from './server.ts'

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
  /** The server that claims share is started by the first that asks for it. */
  measure(server: () => Promise<BenchServer>): Promise<Measure[]>
}

export const thousands = (n: number): string => Math.round(n).toLocaleString('en-GB')

/** Prints what was measured; the process will end with 1 when a promise is broken. */
export function printTable(measures: Measure[]): void {
  const width = (pick: (measure: Measure) => string) => Math.max(...measures.map((measure) => pick(measure).length))
  const [first, second] = [width(({ claim }) => claim), width(({ promised }) => promised)]
  for (const { claim, promised, measured, kept } of measures) {
    console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${claim.padEnd(first)}  ${promised.padEnd(second)}  ${measured}`)
  }
  if (measures.some(({ kept }) => !kept)) process.exitCode = 1
}
