import type { Cluster, WorkerProcess } from '../server/testing/cluster.ts'
import { cpuSeconds, databaseCpuSeconds, peakMegabytes } from './processes.ts'

/** The costs of one sending. Times in seconds. */
export interface SendingCosts {
  accepted: number
  /** From the request until all deliveries are planned. */
  planning: number
  /** From the first claim until the last message is recorded. */
  sending: number
  /** CPU time of the sending process, and of PostgreSQL with all its processes. */
  app: number
  database: number
  /** Peak memory of the sending process since its start, in megabytes. */
  peak: number
}

interface Order {
  newsletterId: string
  content: object
  /** The one process that sends. */
  sender: WorkerProcess
  progress?: (line: string) => void
}

interface Snapshot {
  intended: number | null
  queued: number
  claimed: number
  accepted: number
  suppressed: number
  status: string
  now: number
  finished: number | null
}

/** To see when it begins, and then when it is finished, which the database says to the microsecond. */
const BEGINS_MS = 10
const RUNS_MS = 100

/** Sends a publication to all subscribers of a newsletter and waits until it is sent. */
export async function measureSending(
  fleet: Cluster,
  { newsletterId, content, sender, progress }: Order,
): Promise<SendingCosts> {
  const path = `/api/newsletters/${newsletterId}/publications`
  const { id } = await fleet.call<{ id: string }>('POST', path, { title: 'Low tide', content })
  const used = () => ({ app: cpuSeconds(sender.pid()), database: databaseCpuSeconds(fleet.databaseServer()) })
  const before = used()
  await fleet.call('POST', `${path}/${id}/send`, {})
  const asked = await takeSnapshot()
  const planned = await until(({ intended }) => intended !== null)
  // The last snapshot before the first claim, so that our clock starts too early rather than too late.
  let begun = planned
  await until((seen) => {
    if (seen.queued + seen.suppressed < (seen.intended ?? 0)) return true
    begun = seen
    return false
  })
  let reportedAt = 0
  const last = await until((seen) => {
    if (progress && Date.now() - reportedAt > 10_000) {
      reportedAt = Date.now()
      progress(`${seen.accepted} of ${seen.intended} accepted`)
    }
    if (seen.status !== 'sending' && seen.status !== 'sent') throw new Error(`the publication is ${seen.status}`)
    return seen.finished !== null
  }, RUNS_MS)
  const after = used()
  return {
    accepted: last.accepted,
    planning: planned.now - asked.now,
    sending: (last.finished ?? 0) - begun.now,
    app: after.app - before.app,
    database: after.database - before.database,
    peak: peakMegabytes(sender.pid()),
  }

  async function until(holds: (seen: Snapshot) => boolean, everyMs = BEGINS_MS): Promise<Snapshot> {
    for (;;) {
      const seen = await takeSnapshot()
      if (holds(seen)) return seen
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  async function takeSnapshot(): Promise<Snapshot> {
    const [seen] = await fleet.query<Snapshot & Record<string, unknown>>(
      `select p.status, extract(epoch from clock_timestamp())::float as now,
         extract(epoch from p.finished_at)::float as finished,
         c.intended, coalesce(c.queued, 0) as queued, coalesce(c.claimed, 0) as claimed,
         coalesce(c.accepted, 0) as accepted, coalesce(c.suppressed, 0) as suppressed
       from publication_status p
       left join sending_count c on c.newsletter_id = p.newsletter_id and c.sending_id = p.sending_id
       where p.newsletter_id = $1 and p.publication_id = $2`,
      [newsletterId, id],
    )
    if (!seen) throw new Error('the publication is gone')
    return seen
  }
}
