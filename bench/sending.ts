import type { Fleet, Hand } from '../server/testing/fleet.ts'
import { familySeconds, peakMegabytes, processorSeconds } from './processes.ts'

/** What one publication took. Times in seconds. */
export interface Sent {
  accepted: number
  /** From asking until everybody who shall receive it is written down. */
  planning: number
  /** From the first claim until the last message is recorded. */
  sending: number
  /** Of processor time: the sending process, and PostgreSQL with all its processes. */
  app: number
  database: number
  /** Megabytes that the sending process held at most since its start. */
  peak: number
}

interface Order {
  newsletterId: string
  content: object
  /** The one process that sends. */
  hand: Hand
  progress?: (line: string) => void
}

interface Look {
  intended: number | null
  queued: number
  claimed: number
  accepted: number
  suppressed: number
  status: string
  now: number
  finished: number | null
}

const LOOK_EVERY_MS = 10

/** Publishes to everybody of a newsletter and waits until it is sent. */
export async function sendPublication(fleet: Fleet, { newsletterId, content, hand, progress }: Order): Promise<Sent> {
  const path = `/api/newsletters/${newsletterId}/publications`
  const { id } = await fleet.call<{ id: string }>('POST', path, { title: 'Low tide', content })
  const used = () => ({ app: processorSeconds(hand.pid()), database: familySeconds(fleet.databaseServer()) })
  const before = used()
  await fleet.call('POST', `${path}/${id}/send`, {})
  const asked = await look()
  const planned = await until(({ intended }) => intended !== null)
  // One look too early rather than too late: our clock starts before theirs.
  let begun = planned
  await until((seen) => {
    if (seen.queued + seen.suppressed < (seen.intended ?? 0)) return true
    begun = seen
    return false
  })
  let told = 0
  const last = await until((seen) => {
    if (progress && Date.now() - told > 10_000) {
      told = Date.now()
      progress(`${seen.accepted} of ${seen.intended} accepted`)
    }
    if (seen.status !== 'sending' && seen.status !== 'sent') throw new Error(`the publication is ${seen.status}`)
    return seen.finished !== null
  })
  const after = used()
  return {
    accepted: last.accepted,
    planning: planned.now - asked.now,
    sending: (last.finished ?? 0) - begun.now,
    app: after.app - before.app,
    database: after.database - before.database,
    peak: peakMegabytes(hand.pid()),
  }

  async function until(holds: (seen: Look) => boolean): Promise<Look> {
    for (;;) {
      const seen = await look()
      if (holds(seen)) return seen
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }

  async function look(): Promise<Look> {
    const [seen] = await fleet.query<Look & Record<string, unknown>>(
      `select p.status, extract(epoch from clock_timestamp())::float as now,
         extract(epoch from p.finished_at)::float as finished,
         c.intended, coalesce(c.queued, 0) as queued, coalesce(c.claimed, 0) as claimed,
         coalesce(c.accepted, 0) as accepted, coalesce(c.suppressed, 0) as suppressed
       from publication_status p
       left join delivery_count c on c.newsletter_id = p.newsletter_id and c.sending_id = p.sending_id
       where p.newsletter_id = $1 and p.publication_id = $2`,
      [newsletterId, id],
    )
    if (!seen) throw new Error('the publication is gone')
    return seen
  }
}
