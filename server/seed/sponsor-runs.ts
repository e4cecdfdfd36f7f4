import { sql } from 'kysely'
import { optInAddress } from '../campaigns/opt-in/address.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { sponsorLink } from '../links/shorten.ts'
import type { BookingKey } from '../sponsorship/bookings/bookings.ts'
import { changeBooking, insertBooking } from '../sponsorship/bookings/change.ts'
import type { BookingAct } from '../sponsorship/bookings/contract.ts'
import { dayAt } from '../sponsorship/days.ts'
import { keepReport } from '../sponsorship/report/report.job.ts'
import type { DatedPublication } from './publications.ts'
import { contactOf, placements, texts } from './samples/sponsors.ts'
import { DAY } from './subscribers.ts'

interface Run {
  /** Which publication that was mailed: 0 is the newest. */
  ago: number
  /** Which of the placements. */
  at: 0 | 1 | 2
  says: keyof typeof texts
  language: 'en' | 'fr'
  currency?: 'gbp'
  /** The campaign to which it leads. */
  campaign?: string
  /** Its owner wrote it into the publication, and noted that it ran: no link of its own, no publication that it names. */
  byHand?: boolean
  givenBack?: boolean
  /** An invoice outside of here that nobody has paid. */
  owes?: boolean
}

const runs: Run[] = [
  { ago: 0, at: 0, says: 'charts', language: 'en' },
  { ago: 0, at: 1, says: 'repair', language: 'fr' },
  { ago: 1, at: 1, says: 'box', language: 'en', campaign: 'KepRyeBox9' },
  { ago: 2, at: 0, says: 'oilskins', language: 'fr' },
  { ago: 2, at: 1, says: 'repair', language: 'fr' },
  { ago: 2, at: 2, says: 'books', language: 'fr', byHand: true },
  { ago: 3, at: 1, says: 'almanac', language: 'en' },
  { ago: 4, at: 0, says: 'ledger', language: 'en', currency: 'gbp' },
  { ago: 5, at: 1, says: 'charts', language: 'en', givenBack: true },
  { ago: 6, at: 0, says: 'almanac', language: 'en' },
  { ago: 6, at: 1, says: 'oilskins', language: 'fr', owes: true },
  { ago: 7, at: 1, says: 'repair', language: 'fr' },
  { ago: 8, at: 0, says: 'ledger', language: 'en', currency: 'gbp' },
  { ago: 9, at: 1, says: 'almanac', language: 'en' },
]

/** So many days before it runs, each is done. */
const way: [act: BookingAct, days: number][] = [
  ['pay', 10],
  ['send_creative', 7],
  ['approve', 6],
]

interface Selling {
  newsletterId: string
  timezone: string
  placementIds: number[]
  publications: DatedPublication[]
}

interface Ran extends BookingKey {
  at: number
  linkId: string | null
  campaign: string | undefined
}

/** What ran in publications that were mailed, each with a link of its own, which whoever inserts clicks finds. It stands in them by `insertSlots`. */
export async function insertRuns(
  db: Db,
  config: Pick<Config, 'publicUrl'>,
  { newsletterId, timezone, placementIds, publications }: Selling,
): Promise<Ran[]> {
  const mailed = publications.filter(({ sample }) => !sample.webOnly).toReversed()
  const all: Ran[] = []
  for (const run of runs) {
    const publication = mailed[run.ago]
    if (!publication) continue
    const { at } = publication
    const words = texts[run.says]
    const target = run.campaign ? optInAddress(config, run.campaign) : words.target
    const creative = { ...words, target, image: null }
    const prices: { eur?: number; gbp?: number } = placements[run.at]?.prices ?? {}
    const currency = run.currency ?? 'eur'
    const bookingId = await insertBooking(db, {
      ...{ newsletterId, placementId: placementIds[run.at] ?? 0, day: dayAt({ timezone }, new Date(at)) },
      ...{ sponsor: creative.name, ...contactOf(creative.name), language: run.language },
      ...{ currency, amount: prices[currency] ?? 0 },
      ...{ state: 'accepted', actor: 'member', at: new Date(at - 13 * DAY) },
    })
    const key = { newsletterId, bookingId }
    const publicationId = publication.id
    const linkId = run.byHand ? null : await sponsorLink(db, { newsletterId, publicationId, target, place: run.at })
    for (const [usual, days] of way) {
      const act = usual === 'pay' && run.owes ? 'invoice' : usual
      await changeBooking(db, key, { act, actor: 'member', at: new Date(at - days * DAY), creative })
    }
    const by = linkId
      ? ({ actor: 'system', where: { publicationId, shortLinkId: linkId } } as const)
      : ({ actor: 'member' } as const)
    await changeBooking(db, key, { act: 'run', ...by, at: new Date(at) })
    if (run.givenBack) await changeBooking(db, key, { act: 'refund', actor: 'member', at: new Date(at + 9 * DAY) })
    all.push({ ...key, at, linkId, campaign: run.campaign })
  }
  return all
}

/**
 * The yeses of those who followed a link to a campaign, and the reports. Clicks are there by now. What ran less than seven days ago has
 * none yet: when they are over, the server itself keeps it, and mails the sponsor.
 */
export async function keepReports(db: Db, ran: Ran[], now: number): Promise<void> {
  for (const { at, linkId, campaign, ...key } of ran) {
    if (campaign && linkId) await insertYeses(db, { newsletterId: key.newsletterId, campaign, linkId })
    const over = at + 7 * DAY
    if (over <= now) await keepReport(db, { key, at: new Date(over) })
  }
}

/** A third of them say yes some minutes later, and one in nine takes it back. */
async function insertYeses(
  db: Db,
  { newsletterId, campaign, linkId }: { newsletterId: string; campaign: string; linkId: string },
): Promise<void> {
  await sql`
    insert into opt_in (newsletter_id, campaign_id, id, subscriber_id, short_link_id, version, language, confirmed_at, undone_at, passed_at)
    select c.newsletter_id, ${campaign}, gen_random_uuid(), s.id, ${linkId}, 2, s.language, least(now(), c.at + interval '3 minutes'),
      case when hashtext(s.id::text) % 9 = 0 then least(now(), c.at + interval '1 day') end, least(now(), c.at + interval '4 minutes')
    from click c join subscriber s on s.newsletter_id = c.newsletter_id and s.id = c.subscriber_id
    where c.newsletter_id = ${newsletterId} and c.short_link_id = ${linkId} and c.excluded_by is null and hashtext(s.id::text || 'yes') % 3 = 0
    order by c.at limit 24 on conflict do nothing`.execute(db)
  await sql`
    update opt_in_campaign o set taken = (select count(*) from opt_in y where y.newsletter_id = o.newsletter_id
      and y.campaign_id = o.id and y.undone_at is null) where newsletter_id = ${newsletterId} and id = ${campaign}`.execute(
    db,
  )
}
