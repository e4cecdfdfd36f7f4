import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { changeBooking, insertBooking } from '../sponsorship/bookings/change.ts'
import type { BookingAct } from '../sponsorship/bookings/contract.ts'
import { dayAt } from '../sponsorship/days.ts'
import { frenchTypography } from './document-builder.ts'
import type { DatedPublication } from './publications.ts'
import { contactOf, placements, texts } from './samples/sponsors.ts'
import { insertEnds } from './sponsor-ends.ts'
import { DAY } from './subscribers.ts'
import type { UsualTimes } from './usual-times.ts'

interface Bought {
  /** Which of the placements. */
  at: 0 | 1 | 2
  /** So many publications from now. */
  away: number
  sponsor: string
  acts: BookingAct[]
  /** French where it is not said. */
  language?: 'en'
  message?: string
  creative?: keyof typeof texts
}

const bought: Bought[] = [
  { at: 0, away: 0, sponsor: 'Maison Quéré', acts: ['pay'] },
  { at: 1, away: 0, sponsor: 'Atelier Morvan', acts: ['pay', 'send_creative', 'approve'], creative: 'repair' },
  { at: 2, away: 0, sponsor: 'Kelp & Rye', acts: ['invoice'], language: 'en' },
  { at: 2, away: 0, sponsor: 'Le Phare, librairie', acts: ['pay'] },
  {
    at: 0,
    away: 1,
    sponsor: 'Port Ledger',
    acts: [],
    language: 'en',
    message: 'We opened in four harbours of the Firth. May we say so at the top?',
  },
  { at: 1, away: 1, sponsor: 'Halyard Books', acts: ['pay', 'send_creative'], creative: 'almanac', language: 'en' },
  { at: 0, away: 2, sponsor: 'Maison Quéré', acts: ['invoice'] },
  { at: 1, away: 3, sponsor: 'Halyard Books', acts: ['pay'], language: 'en' },
  {
    at: 1,
    away: 5,
    sponsor: 'Sillon Charts',
    acts: [],
    message: 'Nous aimons ce que vous faites. La date vous convient-elle ?',
  },
]

interface Selling {
  newsletterId: string
  timezone: string
  /** When publications usually go out: 0 is Sunday. */
  weekday: number
  /** When the next ones go out. */
  coming: UsualTimes['coming']
  publications: DatedPublication[]
  now: number
}

/** Placements, and a calendar in which some is sold, asked for, free and blocked. Returns the ids of the placements. */
export async function insertSponsorship(
  db: Db,
  { newsletterId, timezone, weekday, coming, publications, now }: Selling,
): Promise<number[]> {
  await db
    .updateTable('newsletter')
    .set({ sponsor_weekdays: [weekday || 7], sponsor_page: 'listed' })
    .where('id', '=', newsletterId)
    .execute()
  const rows = placements.map(({ words, prices, ...values }, position) => ({
    ...{ ...values, newsletter_id: newsletterId, position, created_at: new Date(now - 90 * DAY) },
    ...{ words: JSON.stringify(words), prices: JSON.stringify(prices) },
  }))
  const ids = await db.insertInto('placement').values(rows).returning('id').execute()
  const dayOf = (away: number) => dayAt({ timezone }, new Date(coming(away)))
  await sql`insert into sponsor_day (newsletter_id, day, kind, reason)
    values (${newsletterId}, ${dayOf(4)}::date, 'blocked', 'No letter between the years')`.execute(db)
  for (const [index, one] of bought.entries()) {
    const placementId = ids[one.at]?.id ?? 0
    const at = new Date(Math.min(now - (30 - index) * 3_600_000, coming(one.away) - 12 * DAY))
    const price = placements[one.at]?.prices.eur ?? 0
    const bookingId = await insertBooking(db, {
      ...{ newsletterId, placementId, day: dayOf(one.away), sponsor: one.sponsor, ...contactOf(one.sponsor) },
      ...{ language: one.language ?? 'fr', currency: 'eur', amount: price, at },
      ...(one.message === undefined
        ? { state: 'accepted', actor: 'member' }
        : { state: 'requested', actor: 'sponsor', message: frenchOr(one.language, one.message) }),
    })
    const creative = one.creative && texts[one.creative]
    for (const act of one.acts)
      await changeBooking(
        db,
        { newsletterId, bookingId },
        { act, actor: 'member', at, ...(creative && { creative: { ...creative, image: null } }) },
      )
  }
  const placementIds = ids.map(({ id }) => id)
  await insertEnds(db, { newsletterId, placementIds, publications, timezone, dayOf, now })
  return placementIds
}

const frenchOr = (language: 'en' | undefined, text: string) => (language === 'en' ? text : frenchTypography(text))
