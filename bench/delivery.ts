import type { ServerSettings } from '../server/database/cluster.ts'
import type { Algorithm } from '../server/domains/dkim-record.ts'
import { type Cluster, startCluster, type WorkerProcess } from '../server/testing/cluster.ts'
import { type Claim, type Measure, thousands } from './claim.ts'
import {
  CONNECTIONS,
  rsaSignatures,
  type Sink,
  sendByNodemailer,
  sendReadyMade,
  startSinkProcess,
} from './references.ts'
import { measureSending, type SendingCosts } from './sending.ts'
import { composeTestMessage, type TestMessage } from './test-message.ts'

const DELAY_MS = 20
const MB = 'MB'

/** `npm run bench -- delivery`, or one part of it: `delivery:wire`, `delivery:latency`, `delivery:signed`, `delivery:million`, `delivery:database`. */
export const deliveryClaims: Claim[] = [
  { name: 'delivery:wire', measure: () => withFleet(measureWire) },
  { name: 'delivery:latency', measure: () => withFleet(measureLatency) },
  { name: 'delivery:signed', measure: () => withFleet(measureSigned) },
  { name: 'delivery:million', measure: () => withFleet(measureMillion) },
  { name: 'delivery:database', measure: () => withFleet(measureDatabase, 'default') },
]

interface Setup {
  fleet: Cluster
  message: TestMessage
}

async function withFleet(
  measure: (setup: Setup) => Promise<Measure[]>,
  settings: ServerSettings = 'ours',
): Promise<Measure[]> {
  const fleet = await startCluster({ settings })
  try {
    return await measure({ fleet, message: await composeTestMessage(fleet) })
  } finally {
    await fleet.stop()
  }
}

/** Compared with the simplest possible sender and with nodemailer, before and after, to the same sink. */
async function measureWire({ fleet, message }: Setup): Promise<Measure[]> {
  const SUBSCRIBERS = 50_000
  const COMPOSED = 4_000
  await fleet.addNewsletter('wire', SUBSCRIBERS)
  const sink = await startSinkProcess()
  const source = () => sendReadyMade(sink, message.bytes, SUBSCRIBERS)
  const composed = () => sendByNodemailer({ ...mailOf(message), port: sink.port, messages: COMPOSED })
  const [firstSource, firstComposed] = [await source(), await composed()]
  const sent = await withSender(fleet, sink, (sender) =>
    measureSending(fleet, { newsletterId: 'wire', content: message.content, sender }),
  )
  const [secondComposed, secondSource] = [await composed(), await source()]
  await sink.stop()
  const ours = rateOf(sent)
  const size = `${(message.bytes / 1024).toFixed(1)} kB`
  return [
    ratio({
      claim: `${size} to ${sink.name}, beside ${firstSource.name}`,
      promised: 0.5,
      ours,
      theirs: mean(firstSource.rate, secondSource.rate),
    }),
    ratio({
      claim: `${size} to ${sink.name}, beside nodemailer’s pool`,
      promised: 5,
      ours,
      theirs: mean(firstComposed, secondComposed),
    }),
    atMost({
      claim: 'application CPU per message',
      promised: 120,
      measured: (sent.app / sent.accepted) * 1e6,
      unit: 'µs',
      note: cpuNote(sent),
    }),
    allAccepted(sent, SUBSCRIBERS),
  ]
}

/** With slow answers the number of round trips for each message decides. */
async function measureLatency({ fleet, message }: Setup): Promise<Measure[]> {
  const SUBSCRIBERS = 5_000
  const COMPOSED = 1_000
  const sink = await startSinkProcess(DELAY_MS)
  const composed = await sendByNodemailer({ ...mailOf(message), port: sink.port, messages: COMPOSED })
  const send = async (newsletterId: string, url: string) => {
    await fleet.addNewsletter(newsletterId, SUBSCRIBERS)
    return withSender(fleet, { ...sink, url }, (sender) =>
      measureSending(fleet, { newsletterId, content: message.content, sender }),
    )
  }
  const sent = await send('latency', `${sink.url}?connections=${CONNECTIONS}`)
  const grown = await send('growth', sink.url)
  await sink.stop()
  const late = `answers ${DELAY_MS} ms later, ${CONNECTIONS} connections`
  // With two unanswered texts on a connection, a crash would leave two recipients uncertain.
  const atBest = (CONNECTIONS * 1_000) / DELAY_MS
  return [
    ratio({ claim: `${late}, beside nodemailer’s pool`, promised: 3, ours: rateOf(sent), theirs: composed }),
    ratio({ claim: `${late}, beside a message each round trip`, promised: 0.9, ours: rateOf(sent), theirs: atBest }),
    // It begins with ten and opens up to twenty, as a relay without a limit of its own.
    ratio({
      claim: `answers ${DELAY_MS} ms later, connections that grow, beside ${CONNECTIONS} connections`,
      promised: 1.3,
      ours: rateOf(grown),
      theirs: rateOf(sent),
    }),
    ...[sent, grown].map((each) => allAccepted(each, SUBSCRIBERS)),
  ]
}

/** The same message unsigned, signed with each key, and unsigned again. */
async function measureSigned({ fleet, message }: Setup): Promise<Measure[]> {
  const SUBSCRIBERS = 20_000
  const sink = await startSinkProcess()
  const send = async (newsletterId: string, algorithm: Algorithm | null) => {
    await fleet.addNewsletter(newsletterId, SUBSCRIBERS)
    if (algorithm) await signWith(fleet, newsletterId, algorithm)
    return withSender(fleet, sink, (sender) =>
      measureSending(fleet, { newsletterId, content: message.content, sender }),
    )
  }
  const first = await send('bare', null)
  const ed25519 = await send('ed', 'ed25519-sha256')
  const signatures = await rsaSignatures()
  const rsa = await send('rsa', 'rsa-sha256')
  const second = await send('bare-again', null)
  await sink.stop()
  const unsigned = mean(rateOf(first), rateOf(second))
  return [
    ratio({ claim: 'signed with Ed25519, beside unsigned', promised: 0.4, ours: rateOf(ed25519), theirs: unsigned }),
    signatures === null
      ? ratio({
          claim: 'signed with RSA-2048, beside unsigned (no openssl here)',
          promised: 0,
          ours: rateOf(rsa),
          theirs: unsigned,
        })
      : ratio({
          claim: 'signed with RSA-2048, beside one core’s openssl speed',
          promised: 0.8,
          ours: rateOf(rsa),
          theirs: signatures,
        }),
    ...[first, ed25519, rsa, second].map((sent) => allAccepted(sent, SUBSCRIBERS)).filter(({ kept }) => !kept),
  ]
}

async function signWith(fleet: Cluster, newsletterId: string, algorithm: Algorithm): Promise<void> {
  const path = `/api/newsletters/${newsletterId}/domain/keys`
  const { keys } = await fleet.call<{ keys: { id: string; algorithm: Algorithm }[] }>('POST', path)
  const key = keys.find((each) => each.algorithm === algorithm)
  await fleet.call('POST', `${path}/${key?.id}/activate`)
}

/** A hundred times the subscribers: the same memory, and the same cost for each message. Each in its own process. */
async function measureMillion({ fleet, message }: Setup): Promise<Measure[]> {
  const FEW = 10_000
  const MANY = 1_000_000
  const sink = await startSinkProcess()
  const send = async (newsletterId: string, subscribers: number) => {
    const say = (line: string) => process.stderr.write(`  ${thousands(subscribers)} subscribers: ${line}\n`)
    await fleet.addNewsletter(newsletterId, subscribers)
    say('added')
    const order = { newsletterId, content: message.content, progress: say }
    return withSender(fleet, sink, (sender) => measureSending(fleet, { ...order, sender }))
  }
  const few = await send('few', FEW)
  const many = await send('many', MANY)
  await sink.stop()
  return [
    atMost({ claim: `planning ${thousands(MANY)} rows`, promised: 20, measured: many.planning, unit: 's' }),
    atMost({ claim: `peak memory at ${thousands(MANY)}`, promised: 220, measured: many.peak, unit: MB }),
    atMost({
      claim: `… more than at ${thousands(FEW)}`,
      promised: 50,
      measured: many.peak - few.peak,
      unit: MB,
      note: `${few.peak.toFixed(0)} MB there`,
    }),
    costRatio('time per message', { few, many }, ({ sending }) => sending),
    costRatio('CPU per message, ours and PostgreSQL’s', { few, many }, ({ app, database }) => app + database),
    allAccepted(many, MANY),
  ]
}

/** PostgreSQL’s part of the work, with the settings that it comes with: planning, claims, answers, and what it does beside them. */
async function measureDatabase({ fleet, message }: Setup): Promise<Measure[]> {
  const sink = await startSinkProcess()
  const measures: Measure[] = []
  for (const subscribers of [10_000, 100_000]) {
    const newsletterId = `database${subscribers}`
    await fleet.addNewsletter(newsletterId, subscribers)
    const sent = await withSender(fleet, sink, (sender) =>
      measureSending(fleet, { newsletterId, content: message.content, sender }),
    )
    measures.push({
      claim: `PostgreSQL’s CPU beside the application’s, ${thousands(subscribers)} messages, default settings`,
      promised: '≤ 0.7 ×',
      measured: `${(sent.database / sent.app).toFixed(2)} × (${cpuNote(sent)})`,
      kept: sent.database <= 0.7 * sent.app,
    })
    measures.push(allAccepted(sent, subscribers))
  }
  await sink.stop()
  return measures
}

async function withSender<T>(fleet: Cluster, sink: Sink, work: (sender: WorkerProcess) => Promise<T>): Promise<T> {
  // To profile the sender: BENCH_NODE_ARGS='--cpu-prof --cpu-prof-dir=profiles'.
  const sender = await fleet.startWorker(sink.url, (process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean))
  return work(sender).finally(() => sender.end('SIGTERM'))
}

const mailOf = ({ html, text, subscriber }: TestMessage) => ({ html, text, subscriber })
const rateOf = ({ accepted, sending }: SendingCosts): number => accepted / sending
const mean = (...values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const cpuNote = ({ accepted, app, database }: SendingCosts): string =>
  `${((app / accepted) * 1e6).toFixed(0)} µs, PostgreSQL’s ${((database / accepted) * 1e6).toFixed(0)} µs beside it`

interface Ratio {
  claim: string
  promised: number
  /** Messages per second. */
  ours: number
  theirs: number
}

const ratio = ({ claim, promised, ours, theirs }: Ratio): Measure => ({
  claim,
  promised: `≥ ${promised} ×`,
  measured: `${(ours / theirs).toFixed(2)} × (${thousands(ours)}/s of ${thousands(theirs)}/s)`,
  kept: ours >= promised * theirs,
})

interface Limit {
  claim: string
  promised: number
  measured: number
  unit: string
  note?: string
}

const atMost = ({ claim, promised, measured, unit, note = '' }: Limit): Measure => ({
  claim,
  promised: `≤ ${promised} ${unit}`,
  measured: `${(measured / promised).toFixed(2)} × (${measured.toFixed(unit === 's' ? 1 : 0)} ${unit}${note && `; ${note}`})`,
  kept: measured <= promised,
})

function costRatio(
  claim: string,
  { few, many }: { few: SendingCosts; many: SendingCosts },
  cost: (sent: SendingCosts) => number,
): Measure {
  const perMessage = (sent: SendingCosts) => (cost(sent) / sent.accepted) * 1e6
  const [first, second] = [perMessage(few), perMessage(many)]
  return {
    claim: `${claim}, ${thousands(many.accepted)} beside ${thousands(few.accepted)}`,
    promised: '≤ 1.2 ×',
    measured: `${(second / first).toFixed(2)} × (${second.toFixed(0)} µs of ${first.toFixed(0)} µs)`,
    kept: second <= 1.2 * first,
  }
}

const allAccepted = ({ accepted }: SendingCosts, subscribers: number): Measure => ({
  claim: 'subscribers accepted, each once',
  promised: thousands(subscribers),
  measured: `${(accepted / subscribers).toFixed(2)} × (${thousands(accepted)} of ${thousands(subscribers)})`,
  kept: accepted === subscribers,
})
