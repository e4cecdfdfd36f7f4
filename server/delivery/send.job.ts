import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Context } from '../context.ts'
import { enqueue, type Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { findPublication } from '../publications/queries.ts'
import { compile } from './compile.ts'
import { expireClaims, findAbandoned, finish, nextDue, plan, type Sending } from './deliveries.ts'
import { type Pace, Press, usualPace } from './press.ts'
import { settleJournals } from './settle.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    /** Sends what is due of a publication; queued in the transaction that begins or resumes it. */
    send_publication: Sending
    /** Every minute: takes up what a killed process left. */
    resume_sendings: Record<string, never>
  }
}

/** Names a run: claims are its own, and two runs in one process do not answer for each other. */
const workerName = () => `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`

export function sendPublicationJob(context: Context, pace: Pace = usualPace): Job<'send_publication'> {
  const { db, config } = context
  return async (sending, { abortSignal }) => {
    const newsletter = await findNewsletter(db, sending.newsletterId)
    if (!newsletter) return
    const publication = await findPublication(db, sending.newsletterId, sending.publicationId)
    if (publication.status !== 'sending') return
    await plan(db, sending)
    const variant = await compile(db, config, newsletter, publication)
    await new Press(context, sending, variant, workerName(), pace, abortSignal).run()
    if (await finish(db, sending)) return
    await comeBackLater(context, sending)
  }
}

/** What a process that was killed left on this machine is put in order before anybody works. */
export async function takeUpSendings(context: Context): Promise<void> {
  await settleJournals(context)
  await enqueue(context.db, 'resume_sendings', {}, { key: 'resume_sendings' })
}

/** Deferred mail, or another worker's: looked at again when the next is due. A paused sending is resumed by its owner. */
async function comeBackLater({ db }: Context, sending: Sending): Promise<void> {
  const runAt = await nextDue(db, sending)
  const { status } = await findPublication(db, sending.newsletterId, sending.publicationId)
  if (status !== 'sending' || !runAt) return
  await enqueue(db, 'send_publication', sending, { runAt, key: `send:${sending.publicationId}` })
}

export function resumeSendingsJob(context: Context): Job<'resume_sendings'> {
  const { db } = context
  return async () => {
    await settleJournals(context)
    for (const sending of await findAbandoned(db)) {
      await expireClaims(db, sending)
      await enqueue(db, 'send_publication', sending, { key: `send:${sending.publicationId}` })
    }
  }
}
