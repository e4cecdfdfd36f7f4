import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { frenchTypography } from './document-builder.ts'
import type { NewsletterPlan } from './newsletters.ts'
import { Random } from './random.ts'
import { DAY } from './subscribers.ts'

const DAYS = 60
/** A yes has to be so old before it is counted whether they stayed. */
const STAYED_DAYS = 14

/** The two newsletters of the demo recommend each other, and each has some figures for it. */
export async function insertRecommendations(
  db: Db,
  { plans: [first, second], now }: { plans: [NewsletterPlan, NewsletterPlan]; now: number },
): Promise<void> {
  await recommend(db, {
    ...{ from: first, to: second, now, readers: 3 },
    reasons: {
      en: 'An object, a place, a habit, looked at a little too closely. In French, every other Wednesday.',
      fr: frenchTypography('Un objet, un lieu, une habitude : un quart d’heure d’attention, un mercredi sur deux.'),
    },
  })
  await recommend(db, {
    ...{ from: second, to: first, now, readers: 2 },
    reasons: {
      en: 'Harbours, tide tables, and the people who look after them. Saturdays at seven.',
      fr: 'Les ports, les marées et ceux qui en vivent, le samedi à sept heures.',
    },
  })
}

interface One {
  from: NewsletterPlan
  to: NewsletterPlan
  /** Who confirms on a day, at most. */
  readers: number
  reasons: { en: string; fr: string }
  now: number
}

async function recommend(db: Db, { from, to, readers, reasons, now }: One): Promise<void> {
  const random = new Random(from.seed + 91)
  const key = { newsletter_id: from.id, id: random.base58(10) }
  const at = new Date(now - DAYS * DAY)
  await db
    .insertInto('campaign')
    .values({ ...key, kind: 'recommendation', name: to.name, starts_at: at, created_at: at })
    .execute()
  await db
    .insertInto('recommendation')
    .values({ ...key, to_newsletter_id: to.id, position: 1, accepted_at: at })
    .execute()
  const words = { newsletter_id: key.newsletter_id, campaign_id: key.id, version: 1 }
  await db
    .insertInto('recommendation_words')
    .values([
      { ...words, language: 'en', reason: reasons.en },
      { ...words, language: 'fr', reason: reasons.fr },
    ])
    .execute()
  const days = Array.from({ length: DAYS }, (_, ago) => {
    const shown = readers + random.below(readers * 3)
    const chosen = random.below(readers + 1)
    const stayed = ago >= STAYED_DAYS ? chosen - (chosen > 0 && random.happens(0.1) ? 1 : 0) : 0
    return {
      day: sql<Date>`${new Date(now - ago * DAY)}::timestamptz::date`,
      shown,
      chosen,
      confirmed: chosen,
      stayed,
      ago,
    }
  })
  await db
    .insertInto('recommendation_count')
    .values(
      days.map(({ ago, ...day }) => ({
        ...{ newsletter_id: key.newsletter_id, campaign_id: key.id, part: 0, ...day },
        due: ago >= STAYED_DAYS ? day.confirmed : 0,
      })),
    )
    .execute()
}
