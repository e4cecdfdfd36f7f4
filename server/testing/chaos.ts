import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, startCluster, type WorkerProcess } from './cluster.ts'
import { type Fault, type FaultyRelay, startFaultyRelay } from './faulty-relay.ts'
import { seededRandom } from './random.ts'
import type { Sink } from './smtp-sink.ts'
import { type DeliveryRow, type Tally, tally } from './tally.ts'

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
  faults: Fault[]
  /** How long the rest may take after the last disturbance. */
  patienceMs: number
  say?: (line: string) => void
}

export interface ChaosResult extends Tally {
  states: Record<string, number>
  /** The deliveries by state are as many as the kept counts say, and everybody has one. */
  addsUp: boolean
  finished: boolean
  /** Connections that ended in the middle of a message: each may leave one recipient uncertain. */
  broken: number
  seconds: number
}

interface Run {
  plan: Plan
  cluster: Cluster
  relay: FaultyRelay
  workers: { process: WorkerProcess; port: Sink; restart: Promise<void> }[]
  publicationId: string
  random: () => number
  broken: number
  ended: boolean
}

const NEWSLETTER = 'chaos'

/** Sends one publication while everything in the plan goes wrong, and compares the relay’s own record with the deliveries. */
export async function runChaos(plan: Plan): Promise<ChaosResult> {
  const cluster = await startCluster()
  const relay = await startFaultyRelay(plan.seed, plan.faults)
  const begun = performance.now()
  try {
    await cluster.addNewsletter(NEWSLETTER, plan.subscribers)
    const workers = await Promise.all(
      Array.from({ length: plan.workers }, async () => {
        const port = await relay.openPort()
        return { port, process: await cluster.startWorker(port.url), restart: Promise.resolve() }
      }),
    )
    const publicationId = await send(cluster)
    const run: Run = {
      plan,
      cluster,
      relay,
      workers,
      publicationId,
      random: seededRandom(plan.seed),
      broken: 0,
      ended: false,
    }
    await disturbAll(run)
    const finished = await isSentWithin(run, plan.patienceMs)
    run.ended = true
    await Promise.all(workers.map(({ restart }) => restart))
    return { ...(await compare(run)), finished, seconds: (performance.now() - begun) / 1_000 }
  } finally {
    await cluster.stop()
    await relay.stop()
  }
}

async function send(cluster: Cluster): Promise<string> {
  const path = `/api/newsletters/${NEWSLETTER}/publications`
  const content = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'The sea leaves.' }] }],
  }
  const { id } = await cluster.call<{ id: string }>('POST', path, { title: 'Low tide', content })
  await cluster.call('POST', `${path}/${id}/send`, {})
  return id
}

type Disturbance = 'kill' | 'stop the database' | 'crash the database' | 'silence'

/** Disturbances in random order. Between two of them the relay takes only a share of the mail, so that each comes while mail is leaving. */
async function disturbAll(run: Run): Promise<void> {
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

const disturbancesOf = ({ kills, databaseStops, silences }: Plan): Disturbance[] => [
  ...Array<Disturbance>(kills).fill('kill'),
  ...Array<Disturbance>(Math.ceil(databaseStops / 2)).fill('stop the database'),
  ...Array<Disturbance>(Math.floor(databaseStops / 2)).fill('crash the database'),
  ...Array<Disturbance>(silences).fill('silence'),
]

async function disturb(run: Run, disturbance: Disturbance): Promise<void> {
  const { cluster, workers, random } = run
  if (disturbance === 'kill') await kill(run, Math.floor(random() * workers.length))
  else if (disturbance === 'silence') await silence(run, 500 + random() * 1_000)
  else {
    // It may be on its way up from the last disturbance.
    await cluster.query('select 1')
    // PostgreSQL’s own signals: fast, and immediate, which is recovered from as after a crash.
    process.kill(cluster.databaseServer(), disturbance === 'stop the database' ? 'SIGINT' : 'SIGQUIT')
  }
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

async function isSentWithin({ cluster, publicationId, plan }: Run, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let told = 0; performance.now() < deadline; ) {
    const [row] = await cluster.query<{ status: string; waiting: number }>(
      `select p.status, c.queued + c.claimed + c.deferred as waiting from publication_status p
       left join publication_count c on c.publication_id = p.publication_id where p.publication_id = $1`,
      [publicationId],
    )
    if (row?.status === 'sent') return true
    if (Date.now() - told > 10_000) {
      told = Date.now()
      plan.say?.(`${row?.status}, ${row?.waiting} to go`)
    }
    await sleep(50)
  }
  return false
}

async function compare({ cluster, relay, publicationId, plan, broken }: Run) {
  const rows = await cluster.query<DeliveryRow & Record<string, unknown>>(
    `select subscriber_id as "subscriberId", email, state from delivery where publication_id = $1`,
    [publicationId],
  )
  const [counts] = await cluster.query<Record<string, number>>(
    `select intended, queued, claimed, accepted, deferred, failed, suppressed, uncertain
     from publication_count where publication_id = $1`,
    [publicationId],
  )
  const { intended, ...kept } = counts ?? {}
  const states = Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ state }) => state)).map(([state, of]) => [state, of?.length ?? 0]),
  )
  const same = Object.entries(kept).every(([state, n]) => (states[state] ?? 0) === n)
  return {
    ...tally(publicationId, rows, relay.record),
    states,
    addsUp: same && intended === plan.subscribers && rows.length === plan.subscribers,
    broken: broken + relay.cuts(),
  }
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
