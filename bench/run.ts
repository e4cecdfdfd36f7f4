import { type Claim, type Measure, printTable } from './claim.ts'
import { deliveryClaims } from './delivery.ts'
import { kill } from './kill.ts'
import { redirect } from './redirect.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { subscribe } from './subscribe.ts'
import { weight } from './weight.ts'

/** In this order: the last one kills the server. `npm run bench`, or `npm run bench -- redirect`: starts the built server and measures what is claimed of it. */
const claims: Claim[] = [redirect, ...deliveryClaims, subscribe, weight, kill]

const wanted = process.argv.slice(2)
const means = (asked: string, { name }: Claim) => name === asked || name.startsWith(`${asked}:`)
const unknown = wanted.filter((asked) => !claims.some((claim) => means(asked, claim)))
if (unknown.length > 0) {
  console.error(`There is no claim “${unknown.join('”, “')}”. There are: ${claims.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

let started: Promise<BenchServer> | null = null
const server = () => {
  started ??= startBenchServer()
  return started
}
const measures: Measure[] = []
try {
  for (const claim of claims) {
    if (wanted.length > 0 && !wanted.some((asked) => means(asked, claim))) continue
    measures.push(...(await claim.measure(server)))
  }
} finally {
  await (started as Promise<BenchServer> | null)?.then((open) => open.stop())
}

printTable(measures)
