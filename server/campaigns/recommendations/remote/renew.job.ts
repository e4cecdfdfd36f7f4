import type { Context } from '../../../context.ts'
import type { Job } from '../../../jobs/queue.ts'
import { type ProvenDocument, readRemoteAddress, signedAt } from './document.ts'
import { readRemote } from './read.ts'
import { nextAttempt } from './renewal.ts'

declare module '../../../jobs/queue.ts' {
  interface Jobs {
    renew_remote_newsletters: Record<string, unknown>
  }
}

/** Of a run. The others wait for the next one. */
const MOST = 200
/** At the same time. Each takes seconds at most. */
const AT_ONCE = 8

/**
 * Reads the documents of recommended newsletters of other servers again that are due. Another key is not followed, and another name not
 * either: both are kept for the owner to see. Only a document of the accepted key renews.
 */
export const renewRemoteNewslettersJob =
  (context: Pick<Context, 'db' | 'config' | 'now'>): Job<'renew_remote_newsletters'> =>
  async () => {
    const { db, now } = context
    const due = await db
      .selectFrom('remote_newsletter as m')
      .innerJoin('campaign as c', (join) =>
        join.onRef('c.newsletter_id', '=', 'm.newsletter_id').onRef('c.id', '=', 'm.id'),
      )
      .innerJoin('newsletter as n', 'n.id', 'm.newsletter_id')
      .select(['m.newsletter_id', 'm.id', 'm.document_url', 'm.key', 'm.name', 'm.failures', 'm.renewed_at'])
      .where('m.next_attempt_at', '<=', now())
      .where('m.is_demo', '=', false)
      .where('c.withdrawn_at', 'is', null)
      .where('n.deleted_at', 'is', null)
      .orderBy('m.next_attempt_at')
      .limit(MOST)
      .execute()
    const read = new Map<string, Promise<ProvenDocument | null>>()
    const documentAt = (url: string) => {
      const asked = readRemoteAddress(url)
      const document = read.get(url) ?? (asked ? readRemote(context, asked).catch(() => null) : Promise.resolve(null))
      read.set(url, document)
      return document
    }
    const renew = async (row: (typeof due)[number]) => {
      const document = await documentAt(row.document_url)
      const at = document && signedAt(document, now())
      // One that was signed before the last is shown again by somebody.
      const isOurs = document?.key === row.key && at !== null && at >= row.renewed_at
      const failures = isOurs ? 0 : row.failures + 1
      await db
        .updateTable('remote_newsletter')
        .set({
          ...{ failures, next_attempt_at: nextAttempt(now(), failures, Math.random()) },
          ...(document &&
            (isOurs || document.key !== row.key) && {
              new_name: document.name === row.name ? null : document.name,
              new_key: isOurs ? null : document.key,
            }),
          ...(document && isOurs && { renewed_at: at, description: document.description, language: document.language }),
        })
        .where('newsletter_id', '=', row.newsletter_id)
        .where('id', '=', row.id)
        // Whoever accepted another key meanwhile has renewed it.
        .where('key', '=', row.key)
        .execute()
    }
    for (let at = 0; at < due.length; at += AT_ONCE) await Promise.all(due.slice(at, at + AT_ONCE).map(renew))
  }
