import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, WorkerProcess } from './cluster.ts'
import type { FaultyRelay } from './faulty-relay.ts'
import { shuffled } from './random.ts'
import { refusalsOfEverybody } from './relay-rules.ts'
import type { Sink } from './smtp-sink.ts'

export interface Plan {
  seed: number
  subscribers: number
  workers: number
  /** How often a worker, chosen at random, is killed. It is started again at once. */
  kills: number
  /** Milliseconds from one disturbance to the next, on average. */
  everyMs: number
  /** How often PostgreSQL is stopped: half of the times fast, half of them as in a crash. */
  databaseStops: number
  /** How often the relay ends all connections and takes no new one for a second. */
  silences: number
  /** How often the relay refuses everybody, until the sending has paused and its owner lets it go on. */
  refusals: number
  /** Of the relay: messages that a connection may carry, and connections in all. */
  messagesPerConnection: number
  connections: number
  /** Deliveries that were asked to wait are due at once when nothing else is left. */
  isImpatient?: true
  /** How long the rest may take after the last disturbance. */
  patienceMs: number
  say?: (line: string) => void
}

/** A publication that is being sent, and what was seen meanwhile. */
export interface Run {
  plan: Plan
  cluster: Cluster
  relay: FaultyRelay
  workers: { process: WorkerProcess; port: Sink; restart: Promise<void> }[]
  publicationId: string
  random: () => number
  /** Whose mailbox does not exist. */
  unknown: ReadonlySet<string>
  /** Why it paused by itself, each time. */
  pauses: (string | null)[]
  /** Subscribers who were marked as bounced at the moment of a pause. */
  markedAtPauses: number
  /** The most copies that were refused before the owner came. */
  refusedAtOnce: number
  /** Connections that ended in the middle of a message: each may leave one recipient uncertain. */
  broken: number
  ended: boolean
}

/** A sending that has not paused after so long would not pause at all. */
const MOST_REFUSING_MS = 60_000

type Disturbance = 'kill' | 'stop the database' | 'crash the database' | 'silence' | Refusal
type Refusal = (typeof refusalsOfEverybody)[number]

/** Disturbances in random order. Between two of them the relay takes only a share of the mail, so that each comes while mail is leaving. */
export async function disturbAll(run: Run): Promise<void> {
  const { plan, relay, random } = run
  const disturbances = shuffled(disturbancesOf(plan), random)
  for (const [index, disturbance] of disturbances.entries()) {
    relay.allow(Math.floor((plan.subscribers * (index + 1)) / (disturbances.length + 1)))
    await sleep(plan.everyMs * 2 * random())
    await disturb(run, disturbance)
    if (index % 10 === 9)
      plan.say?.(`${index + 1} of ${disturbances.length} disturbances, ${relay.record.length} entries in the record`)
  }
  relay.allow(Number.POSITIVE_INFINITY)
}

const disturbancesOf = ({ kills, databaseStops, silences, refusals }: Plan): Disturbance[] => [
  ...Array<Disturbance>(kills).fill('kill'),
  ...Array<Disturbance>(Math.ceil(databaseStops / 2)).fill('stop the database'),
  ...Array<Disturbance>(Math.floor(databaseStops / 2)).fill('crash the database'),
  ...Array<Disturbance>(silences).fill('silence'),
  ...Array.from({ length: refusals }, (_, n) => refusalsOfEverybody[n % refusalsOfEverybody.length] as Refusal),
]

async function disturb(run: Run, disturbance: Disturbance): Promise<void> {
  const { cluster, workers, random } = run
  if (disturbance === 'kill') await kill(run, Math.floor(random() * workers.length))
  else if (disturbance === 'silence') await silence(run, 500 + random() * 1_000)
  else if (disturbance.startsWith('550')) await refuseAll(run, disturbance)
  else {
    // It may be on its way up from the last disturbance.
    await cluster.query('select 1')
    // PostgreSQL’s own signals: fast, and immediate, which is recovered from as after a crash.
    process.kill(cluster.databaseServer(), disturbance === 'stop the database' ? 'SIGINT' : 'SIGQUIT')
  }
}

/** Until the owner has seen the pause. Every second time a worker is killed in between. */
async function refuseAll(run: Run, answer: string): Promise<void> {
  const { relay, workers, random, plan } = run
  const before = relay.rules.used['refusals of everybody']
  relay.refuseAll(answer)
  const [isKilling, killAfterMs, index] = [random() < 0.5, 500 * random(), Math.floor(random() * workers.length)]
  if (isKilling) {
    await sleep(killAfterMs)
    await kill(run, index)
  }
  for (let waited = 0; relay.rules.refusesAll && waited < MOST_REFUSING_MS; waited += 100) await sleep(100)
  if (relay.rules.refusesAll) plan.say?.(`it did not pause although every copy was refused: ${answer}`)
  relay.refuseAll(null)
  run.refusedAtOnce = Math.max(run.refusedAtOnce, relay.rules.used['refusals of everybody'] - before)
}

/** Mostly a running worker, at times one in the middle of its start. */
async function kill(run: Run, index: number): Promise<void> {
  const worker = run.workers[index]
  if (!worker) return
  if (run.random() < 0.9) await worker.restart
  run.broken += worker.port.connections()
  await worker.process.end('SIGKILL')
  await worker.restart
  worker.restart = keepRunning(run, worker.process)
}

/** Starts a worker as a service manager does: again, while it does not come up because its database is away. */
async function keepRunning(run: Run, worker: WorkerProcess): Promise<void> {
  while (!run.ended) {
    const up = await worker.start().then(
      () => true,
      () => false,
    )
    if (up) return
    await sleep(200)
  }
}

async function silence(run: Run, ms: number): Promise<void> {
  const ports = run.workers.map(({ port }) => port)
  run.broken += ports.reduce((sum, port) => sum + port.connections(), 0)
  await Promise.all(ports.map((port) => port.deafen()))
  await sleep(ms)
  await Promise.all(ports.map((port) => port.listen()))
}
