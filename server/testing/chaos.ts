import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, startCluster } from './cluster.ts'
import { disturbAll, type Plan, type Run } from './disturbances.ts'
import { everyFault, startFaultyRelay } from './faulty-relay.ts'
import { seededRandom, shuffled } from './random.ts'
import type { RuledRelay } from './relay-rules.ts'
import { type DeliveryRow, type Tally, tally } from './tally.ts'

type Seen = Pick<Run, 'pauses' | 'markedAtPauses' | 'refusedAtOnce' | 'broken'>

export interface ChaosResult extends Tally, Seen {
  states: Record<string, number>
  /** Whose mailbox does not exist: exactly a twentieth of the subscribers. */
  unknown: number
  /** Marked as bounced although their mailbox exists; not marked although it does not. */
  wronglyMarked: string[]
  unmarked: string[]
  /** How often the relay used each of its rules. */
  used: RuledRelay['used']
  /** The deliveries by state are as many as the kept counts say, and everybody has one. */
  addsUp: boolean
  finished: boolean
  seconds: number
}

const NEWSLETTER = 'chaos'
const OWNER_READS_MS = 1_000

/** Sends one publication while everything in the plan goes wrong, and compares the relay’s own record with the deliveries. */
export async function runChaos(plan: Plan): Promise<ChaosResult> {
  const random = seededRandom(plan.seed)
  const addresses = Array.from({ length: plan.subscribers }, (_, n) => `reader${n + 1}@example.com`)
  const unknown = new Set(shuffled(addresses, random).slice(0, plan.subscribers / 20))
  const cluster = await startCluster()
  const relay = await startFaultyRelay(plan.seed, everyFault, { ...plan, unknown })
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
      random,
      unknown,
      pauses: [],
      markedAtPauses: 0,
      refusedAtOnce: 0,
      broken: 0,
      ended: false,
    }
    const owner = actAsOwner(run)
    await disturbAll(run)
    const finished = await isSentWithin(run, plan.patienceMs)
    run.ended = true
    await Promise.all([owner, ...workers.map(({ restart }) => restart)])
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

/** Lets it go on whenever it has paused by itself, when the relay takes mail again. */
async function actAsOwner(run: Run): Promise<void> {
  const { cluster, relay, publicationId } = run
  const path = `/api/newsletters/${NEWSLETTER}/publications/${publicationId}/resume`
  const resumed = () =>
    cluster.call('POST', path, {}).then(
      () => true,
      () => false,
    )
  for (; !run.ended; await sleep(100)) {
    const [row] = await cluster.query<{ status: string; stopped_by: string | null; marked: number }>(
      `select status, stopped_by, (select count(*)::int from subscriber where status = 'bounced') as marked
       from publication_status where publication_id = $1`,
      [publicationId],
    )
    if (row?.status !== 'paused') continue
    run.pauses.push(row.stopped_by)
    run.markedAtPauses += row.marked
    await sleep(OWNER_READS_MS)
    relay.refuseAll(null)
    // The database may be away.
    while (!run.ended && !(await resumed())) await sleep(100)
  }
}

async function isSentWithin({ cluster, publicationId, plan }: Run, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let told = 0; performance.now() < deadline; ) {
    const [row] = await cluster.query<{ status: string; waiting: number; deferred: number }>(
      `select p.status, c.deferred, c.queued + c.claimed + c.deferred as waiting from publication_status p
       left join publication_count c on c.publication_id = p.publication_id where p.publication_id = $1`,
      [publicationId],
    )
    if (row?.status === 'sent') return true
    if (plan.isImpatient && row?.waiting === row?.deferred)
      await cluster.query(`update delivery set due_at = now() where state = 'deferred' and due_at > now()`)
    if (Date.now() - told > 10_000) {
      told = Date.now()
      plan.say?.(`${row?.status}, ${row?.waiting} to go`)
    }
    await sleep(50)
  }
  return false
}

async function compare({ cluster, relay, publicationId, plan, unknown, broken, ...seen }: Run) {
  const rows = await cluster.query<DeliveryRow & Record<string, unknown>>(
    `select subscriber_id as "subscriberId", email, state, attempts from delivery where publication_id = $1`,
    [publicationId],
  )
  const [counts] = await cluster.query<Record<string, number>>(
    `select intended, queued, claimed, accepted, deferred, failed, suppressed, uncertain
     from publication_count where publication_id = $1`,
    [publicationId],
  )
  const bounced = await cluster.query<{ email: string }>(
    `select s.email from subscriber s join suppression p
       on (p.newsletter_id, p.email_normalised) = (s.newsletter_id, s.email_normalised) where s.status = 'bounced'`,
  )
  const marked = new Set(bounced.map(({ email }) => email))
  const { intended, ...kept } = counts ?? {}
  const states = Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ state }) => state)).map(([state, of]) => [state, of?.length ?? 0]),
  )
  const same = Object.entries(kept).every(([state, n]) => (states[state] ?? 0) === n)
  return {
    ...tally(publicationId, rows, relay.record),
    states,
    unknown: unknown.size,
    wronglyMarked: [...marked].filter((email) => !unknown.has(email)),
    unmarked: [...unknown].filter((email) => !marked.has(email)),
    pauses: seen.pauses,
    markedAtPauses: seen.markedAtPauses,
    refusedAtOnce: seen.refusedAtOnce,
    used: relay.rules.used,
    addsUp: same && intended === plan.subscribers && rows.length === plan.subscribers,
    broken: broken + relay.cuts(),
  }
}
