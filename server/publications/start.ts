import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { AppError, type ErrorCode, errorStatus } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { requireMayLeave } from '../newsletters/may-leave.ts'
import type { SenderContext } from '../newsletters/sender-proof.ts'
import { MOST_LAYOUTS, type PublicationKey } from '../sending/sending.ts'
import { translator } from '../translator.ts'
import { missStart, type Publishing, sendNow } from './publish.ts'
import { findPublication } from './queries.ts'
import { tellMissed } from './tell-missed.ts'

type Starting = SenderContext & Publishing & Pick<Context, 'config' | 'log'>

/**
 * Begins what was scheduled. What can no longer be sent becomes a draft again and says why, also by mail. What may pass is thrown for the job to be tried
 * again, as long as it is not the last time, and meanwhile the publication says why it is late.
 */
export async function startScheduled(
  context: Starting,
  newsletter: NewsletterRow,
  { publicationId, at, tries }: { publicationId: string; at: string; tries: Tries },
): Promise<void> {
  const { db } = context
  const publication = await findPublication(db, newsletter.id, publicationId)
  if (publication.state !== 'scheduled' || publication.scheduled_at?.toISOString() !== at) return
  try {
    const { channel, language } = publication
    if (channel === 'everywhere') await requireMayLeave(context, newsletter)
    await sendNow(context, newsletter, { publicationId, channel, dueAt: new Date(at), t: translator(language) })
  } catch (error) {
    const { code } = error instanceof AppError ? error : new AppError('internal')
    if (code === 'wrong_status') throw error
    if (isTriedAgain(code, tries)) {
      await sayLate(db, { newsletterId: newsletter.id, publicationId, at }, code)
      throw error
    }
    if (code === 'internal') context.log.error({ err: error }, `publication ${publicationId} could not begin`)
    await stay(context, newsletter, { publication, at, because: code })
  }
}

interface Stay {
  publication: { id: string; title: string }
  /** The time that it had. */
  at: string
  because: ErrorCode
}

/** Makes a scheduled publication a draft again, unless it got another time meanwhile, and mails why to those who may send it. */
export const stay = (
  { db, config }: Pick<Starting, 'db' | 'config'>,
  newsletter: NewsletterRow,
  { publication, at, because }: Stay,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const start = { newsletterId: newsletter.id, publicationId: publication.id, at }
    if (await missStart(tx, start, because))
      await tellMissed(tx, { config, newsletter }, { publication, at: new Date(at), because })
  })

/** Which time it is that a job is tried, and the last one. */
interface Tries {
  now: number
  most: number
}

/** The pauses of the queue grow, so these tries end within half an hour: a letter that comes later than that is for its owner to decide. */
const MOST_STARTS = 8

/** What is wrong with the server may pass. What is wrong with the publication stays. */
const isTriedAgain = (code: ErrorCode, { now, most }: Tries): boolean =>
  errorStatus[code] >= 500 && now < Math.min(code === 'rendering_failed' ? MOST_LAYOUTS : MOST_STARTS, most)

/** Keeps why a publication whose time has come has not left yet, unless it got another time meanwhile. */
const sayLate = (db: Db, { newsletterId, publicationId, at }: PublicationKey & { at: string }, because: ErrorCode) =>
  db
    .updateTable('publication')
    .set({ unscheduled_by: because })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('state', '=', 'scheduled')
    .where('scheduled_at', '=', new Date(at))
    .execute()
