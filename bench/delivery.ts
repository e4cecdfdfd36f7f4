import type { Algorithm } from '../server/domains/dkim-record.ts'
import { type Fleet, type Hand, startFleet } from '../server/testing/fleet.ts'
import { type Claim, type Measure, thousands } from './claim.ts'
import {
  CONNECTIONS,
  rsaSignatures,
  type Sink,
  sendByNodemailer,
  sendReadyMade,
  startSinkProcess,
} from './references.ts'
import { type Sent, sendPublication } from './sending.ts'
import { type Letter, writeLetter } from './test-message.ts'

const DELAY_MS = 20
const MB = 'MB'

/** `npm run bench -- delivery`, or one part of it: `delivery:wire`, `delivery:latency`, `delivery:signed`, `delivery:million`. */
export const deliveryClaims: Claim[] = [
  { name: 'delivery:wire', measure: () => inPressRoom(measureWire) },
  { name: 'delivery:latency', measure: () => inPressRoom(measureLatency) },
  { name: 'delivery:signed', measure: () => inPressRoom(measureSigned) },
  { name: 'delivery:million', measure: () => inPressRoom(measureMillion) },
]

interface PressRoom {
  fleet: Fleet
  letter: Letter
}

async function inPressRoom(measure: (room: PressRoom) => Promise<Measure[]>): Promise<Measure[]> {
  const fleet = await startFleet()
  try {
    return await measure({ fleet, letter: await writeLetter(fleet) })
  } finally {
    await fleet.stop()
  }
}

/** Against the dumbest sender there is and against what people use, before and after, to the same sink. */
async function measureWire({ fleet, letter }: PressRoom): Promise<Measure[]> {
  const READERS = 50_000
  const COMPOSED = 4_000
  await fleet.addNewsletter('wire', READERS)
  const sink = await startSinkProcess()
  const source = () => sendReadyMade(sink, letter.bytes, READERS)
  const composed = () => sendByNodemailer({ ...mailOf(letter), port: sink.port, messages: COMPOSED })
  const [firstSource, firstComposed] = [await source(), await composed()]
  const sent = await withHand(fleet, sink, (hand) =>
    sendPublication(fleet, { newsletterId: 'wire', content: letter.content, hand }),
  )
  const [secondComposed, secondSource] = [await composed(), await source()]
  await sink.stop()
  const ours = rateOf(sent)
  const size = `${(letter.bytes / 1024).toFixed(1)} kB`
  return [
    ratio(`${size} to ${sink.name}, beside ${firstSource.name}`, 0.5, ours, mean(firstSource.rate, secondSource.rate)),
    ratio(`${size} to ${sink.name}, beside nodemailer’s pool`, 5, ours, mean(firstComposed, secondComposed)),
    atMost('application CPU per message', 120, (sent.app / sent.accepted) * 1e6, 'µs', perMessage(sent)),
    everybody(sent, READERS),
  ]
}

/** Every answer travels longer: what counts is how often one waits for it. */
async function measureLatency({ fleet, letter }: PressRoom): Promise<Measure[]> {
  const READERS = 5_000
  const COMPOSED = 1_000
  await fleet.addNewsletter('latency', READERS)
  const sink = await startSinkProcess(DELAY_MS)
  const composed = await sendByNodemailer({ ...mailOf(letter), port: sink.port, messages: COMPOSED })
  const sent = await withHand(fleet, sink, (hand) =>
    sendPublication(fleet, { newsletterId: 'latency', content: letter.content, hand }),
  )
  await sink.stop()
  const late = `answers ${DELAY_MS} ms later, ${CONNECTIONS} connections`
  // With two unanswered texts on a connection, a crash would leave two recipients uncertain.
  const atBest = (CONNECTIONS * 1_000) / DELAY_MS
  return [
    ratio(`${late}, beside nodemailer’s pool`, 3, rateOf(sent), composed),
    ratio(`${late}, beside a message each round trip`, 0.8, rateOf(sent), atBest),
    everybody(sent, READERS),
  ]
}

/** The same letter bare, signed with either key, and bare again. */
async function measureSigned({ fleet, letter }: PressRoom): Promise<Measure[]> {
  const READERS = 20_000
  const sink = await startSinkProcess()
  const send = async (newsletterId: string, algorithm: Algorithm | null) => {
    await fleet.addNewsletter(newsletterId, READERS)
    if (algorithm) await signWith(fleet, newsletterId, algorithm)
    return withHand(fleet, sink, (hand) => sendPublication(fleet, { newsletterId, content: letter.content, hand }))
  }
  const first = await send('bare', null)
  const ed25519 = await send('ed', 'ed25519-sha256')
  const signatures = await rsaSignatures()
  const rsa = await send('rsa', 'rsa-sha256')
  const second = await send('bare-again', null)
  await sink.stop()
  const unsigned = mean(rateOf(first), rateOf(second))
  return [
    ratio('signed with Ed25519, beside unsigned', 0.4, rateOf(ed25519), unsigned),
    signatures === null
      ? ratio('signed with RSA-2048, beside unsigned (no openssl here)', 0, rateOf(rsa), unsigned)
      : ratio('signed with RSA-2048, beside one core’s openssl speed', 0.8, rateOf(rsa), signatures),
    ...[first, ed25519, rsa, second].map((sent) => everybody(sent, READERS)).filter(({ kept }) => !kept),
  ]
}

async function signWith(fleet: Fleet, newsletterId: string, algorithm: Algorithm): Promise<void> {
  const path = `/api/newsletters/${newsletterId}/domain/keys`
  const { keys } = await fleet.call<{ keys: { id: string; algorithm: Algorithm }[] }>('POST', path)
  const key = keys.find((each) => each.algorithm === algorithm)
  await fleet.call('POST', `${path}/${key?.id}/activate`)
}

/** A hundred times the readers: as much memory, and no message dearer. Each in a process of its own. */
async function measureMillion({ fleet, letter }: PressRoom): Promise<Measure[]> {
  const FEW = 10_000
  const MANY = 1_000_000
  const sink = await startSinkProcess()
  const send = async (newsletterId: string, readers: number) => {
    const say = (line: string) => process.stderr.write(`  ${thousands(readers)} readers: ${line}\n`)
    await fleet.addNewsletter(newsletterId, readers)
    say('added')
    const order = { newsletterId, content: letter.content, progress: say }
    return withHand(fleet, sink, (hand) => sendPublication(fleet, { ...order, hand }))
  }
  const few = await send('few', FEW)
  const many = await send('many', MANY)
  await sink.stop()
  return [
    atMost(`planning ${thousands(MANY)} rows`, 20, many.planning, 's'),
    atMost(`peak memory at ${thousands(MANY)}`, 300, many.peak, MB),
    atMost(`… more than at ${thousands(FEW)}`, 50, many.peak - few.peak, MB, `${few.peak.toFixed(0)} MB there`),
    dearer('time per message', few, many, ({ sending }) => sending),
    dearer('CPU per message, ours and PostgreSQL’s', few, many, ({ app, database }) => app + database),
    everybody(many, MANY),
  ]
}

async function withHand<T>(fleet: Fleet, sink: Sink, work: (hand: Hand) => Promise<T>): Promise<T> {
  // For a look inside: BENCH_NODE_ARGS='--cpu-prof --cpu-prof-dir=/tmp/profiles'.
  const hand = await fleet.hire(sink.url, (process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean))
  return work(hand).finally(() => hand.end('SIGTERM'))
}

const mailOf = ({ html, text, reader }: Letter) => ({ html, text, reader })
const rateOf = ({ accepted, sending }: Sent): number => accepted / sending
const mean = (...values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const perMessage = ({ accepted, app, database }: Sent): string =>
  `${((app / accepted) * 1e6).toFixed(0)} µs, PostgreSQL’s ${((database / accepted) * 1e6).toFixed(0)} µs beside it`

const ratio = (claim: string, promised: number, ours: number, theirs: number): Measure => ({
  claim,
  promised: `≥ ${promised} ×`,
  measured: `${(ours / theirs).toFixed(2)} × (${thousands(ours)}/s of ${thousands(theirs)}/s)`,
  kept: ours >= promised * theirs,
})

const atMost = (claim: string, promised: number, measured: number, unit: string, note = ''): Measure => ({
  claim,
  promised: `≤ ${promised} ${unit}`,
  measured: `${(measured / promised).toFixed(2)} × (${measured.toFixed(unit === 's' ? 1 : 0)} ${unit}${note && `; ${note}`})`,
  kept: measured <= promised,
})

function dearer(claim: string, few: Sent, many: Sent, cost: (sent: Sent) => number): Measure {
  const [first, second] = [few, many].map((sent) => (cost(sent) / sent.accepted) * 1e6) as [number, number]
  return {
    claim: `${claim}, ${thousands(many.accepted)} beside ${thousands(few.accepted)}`,
    promised: '≤ 1.2 ×',
    measured: `${(second / first).toFixed(2)} × (${second.toFixed(0)} µs of ${first.toFixed(0)} µs)`,
    kept: second <= 1.2 * first,
  }
}

const everybody = ({ accepted }: Sent, readers: number): Measure => ({
  claim: 'readers accepted, each once',
  promised: thousands(readers),
  measured: `${(accepted / readers).toFixed(2)} × (${thousands(accepted)} of ${thousands(readers)})`,
  kept: accepted === readers,
})
