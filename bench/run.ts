import { charge } from './charge.ts'
import { chargeEvents } from './charge-events.ts'
import { type Claim, type Measure, printTable } from './claim.ts'
import { deliveryClaims } from './delivery.ts'
import { exported } from './export.ts'
import { footprint } from './footprint.ts'
import { imported } from './import.ts'
import { kill } from './kill.ts'
import { links } from './links.ts'
import { longDocuments } from './long-documents.ts'
import { redirect } from './redirect.ts'
import { segments } from './segments.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { subscribeClaims } from './subscribe.ts'
import { subscribers } from './subscribers.ts'
import { weight } from './weight.ts'

/** `npm run bench`, or `npm run bench -- redirect`: measures the claims in this order, since the last one kills the server. */
const claims: Claim[] = [
  footprint,
  redirect,
  longDocuments,
  subscribers,
  exported,
  imported,
  segments,
  chargeEvents,
  charge,
  links,
  ...deliveryClaims,
  ...subscribeClaims,
  weight,
  kill,
]

const wanted = process.argv.slice(2)
const matches = (asked: string, { name }: Claim) => name === asked || name.startsWith(`${asked}:`)
const unknown = wanted.filter((asked) => !claims.some((claim) => matches(asked, claim)))
if (unknown.length > 0) {
  console.error(`There is no claim “${unknown.join('”, “')}”. There are: ${claims.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

const shared: { server?: Promise<BenchServer> } = {}
const server = () => {
  shared.server ??= startBenchServer()
  return shared.server
}
const measures: Measure[] = []
try {
  for (const claim of claims) {
    if (wanted.length > 0 && !wanted.some((asked) => matches(asked, claim))) continue
    measures.push(...(await claim.measure(server)))
  }
} finally {
  await shared.server?.then((started) => started.stop())
}

printTable(measures)
