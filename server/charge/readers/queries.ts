import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { Language } from '../../languages.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { MAILED_LINK_DAYS } from './links.ts'
import type { ReadablePlan } from './readers.page.tsx'

/** The publication whose mail a link was in, while such links open it, and whether it was taken off the web; null later, and when it never was there. */
export async function findMailed(
  db: Db,
  { newsletterId, id }: { newsletterId: string; id: string },
  now: Date,
): Promise<{ slug: string; isOff: boolean } | null> {
  const found = await db
    .selectFrom('publication')
    .select(['slug', 'off_web_at'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .where('published_at', '>', new Date(now.getTime() - MAILED_LINK_DAYS * 86_400_000))
    .executeTakeFirst()
  return found?.slug ? { slug: found.slug, isOff: found.off_web_at !== null } : null
}

const Words = z.record(z.string(), z.object({ name: z.string() }).optional())

/** The plans that a subscriber may read at a moment, by their names in a language. */
export async function listReadable(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  { language, newsletter, at }: { language: Language; newsletter: { language: Language }; at: Date },
): Promise<ReadablePlan[]> {
  const rows = await db
    .selectFrom('entitlement as e')
    .innerJoin('plan as p', (join) =>
      join.onRef('p.newsletter_id', '=', 'e.newsletter_id').onRef('p.id', '=', 'e.plan_id'),
    )
    .select(['p.id', 'p.words', sql<Date | null>`case when isfinite(e.until) then e.until end`.as('until')])
    .where('e.newsletter_id', '=', newsletterId)
    .where('e.subscriber_id', '=', subscriberId)
    .where('e.until', '>', at)
    .orderBy('p.position')
    .orderBy('p.id')
    .execute()
  return rows.map(({ id: planId, words, until }) => {
    const named = Words.parse(words)
    return { planId, name: (named[language] ?? named[newsletter.language])?.name ?? '', until }
  })
}
