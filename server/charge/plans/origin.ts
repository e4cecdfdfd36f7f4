import type { Db } from '../../database/client.ts'
import { findPublished } from '../../publications/archive.ts'

/** Where a visitor to the page of plans came from: it goes with them to the payment, and from there into the figures. */
export interface Origin {
  /** The slug of what they were reading; empty where they were not. */
  to: string
  /** Its id; null when it is not on the web. */
  publicationId: string | null
  source: string
}

interface Visit {
  query: Record<string, string>
  /** The page before, as the browser tells it. */
  referrer: string | undefined
  publicUrl: string
}

const SLUG = /^[\w-]{1,200}$/

/** The slug of what somebody was reading, among the fields of a form or an address; empty where there is none. */
export const slugIn = ({ to = '' }: Record<string, string>): string => (SLUG.test(to) ? to : '')
const MAX_SOURCE = 200

/**
 * A source that the address names counts first (`source`, which our own links keep, then `utm_source`), then that of the page of ours from
 * which somebody came, such as a publication that a campaign led to; else the paywall, or the page of plans itself.
 */
export async function originOf(db: Db, newsletterId: string, { query, referrer, publicUrl }: Visit): Promise<Origin> {
  const to = slugIn(query)
  const publication = to ? await findPublished(db, newsletterId, to) : null
  const before = URL.parse(referrer ?? '')
  const sourceBefore = before?.origin === new URL(publicUrl).origin ? before.searchParams.get('utm_source') : null
  const named = [query.source, query.utm_source, sourceBefore].map(sourceIn).find((one) => one !== '')
  return { to, publicationId: publication?.id ?? null, source: named ?? (publication ? 'paywall' : 'plans') }
}

/** A source as it is stored: one line, or empty. */
export const sourceIn = (text: string | null | undefined): string =>
  (text ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_SOURCE)
