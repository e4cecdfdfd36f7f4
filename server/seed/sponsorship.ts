import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { changeBooking, insertBooking } from '../sponsorship/bookings/change.ts'
import type { BookingAct } from '../sponsorship/bookings/contract.ts'
import { dayAt } from '../sponsorship/days.ts'
import { DAY } from './subscribers.ts'

export const placements = [
  {
    words: {
      en: { name: 'Top', disclosure: 'This letter is supported by' },
      fr: { name: 'En-tête', disclosure: 'Cette lettre est soutenue par' },
    },
    ...({ place: 'top', max_words: 25, lead_days: 5 } as const),
    prices: { eur: 56_000, gbp: 48_000 },
  },
  {
    words: {
      en: { name: 'Middle', disclosure: 'A word from our sponsor' },
      fr: { name: 'Milieu', disclosure: 'Un mot de notre annonceur' },
    },
    ...({ place: 'middle', max_words: 60, lead_days: 5 } as const),
    prices: { eur: 41_000, gbp: 35_000 },
  },
  {
    words: {
      en: { name: 'Classified', disclosure: 'Small ads, paid for' },
      fr: { name: 'Petite annonce', disclosure: 'Petites annonces payées' },
    },
    ...({ place: 'end', max_words: 30, lead_days: 3, seats: 4, takes_image: false } as const),
    prices: { eur: 6_000 },
  },
]

export const texts = {
  almanac: {
    ...{ name: 'Halyard Books', label: 'Order the almanac', target: 'https://halyardbooks.example/almanac' },
    text: 'prints the almanac that fits a jacket pocket: tide heights for 212 harbours, lights, and one recipe a month.',
  },
  repair: {
    ...{ name: 'Atelier Morvan', label: 'Read the guide', target: 'https://ateliermorvan.example/guide' },
    text: 'mends nets, sails and what holds them. Their guide to the first ten knots is free.',
  },
  charts: {
    ...{ name: 'Sillon Charts', label: 'See the sheet', target: 'https://sillon.example/audierne' },
    text: 'draws the coast as it is this winter, not as it was in 1911.',
  },
  oilskins: {
    ...{ name: 'Maison Quéré', label: 'See the winter coats', target: 'https://quere.example/hiver' },
    text: 'waxes cotton by hand in Douarnenez. A coat lasts until somebody inherits it.',
  },
  box: {
    ...{ name: 'Kelp & Rye', label: 'Say yes to a box', target: 'https://kelpandrye.example/' },
    text: 'bakes with seaweed flour in Cork, and would like to send you one box to taste.',
  },
  ledger: {
    ...{ name: 'Port Ledger', label: 'Try it for a month', target: 'https://portledger.example/' },
    text: 'keeps the accounts of small harbours: berths, fuel, and who owes what.',
  },
  books: {
    ...{ name: 'Le Phare, librairie', label: 'Our shelves', target: 'https://lephare.example/' },
    text: 'sells books about the sea, and nothing else.',
  },
}

interface Bought {
  /** Which of the placements. */
  at: 0 | 1 | 2
  /** So many publications from now. */
  away: number
  sponsor: string
  acts: BookingAct[]
  creative?: keyof typeof texts
}

const bought: Bought[] = [
  { at: 0, away: 0, sponsor: 'Maison Quéré', acts: ['pay'] },
  { at: 1, away: 0, sponsor: 'Atelier Morvan', acts: ['pay', 'send_creative', 'approve'], creative: 'repair' },
  { at: 2, away: 0, sponsor: 'Kelp & Rye', acts: ['invoice'] },
  { at: 2, away: 0, sponsor: 'Le Phare, librairie', acts: ['pay'] },
  { at: 0, away: 1, sponsor: 'Port Ledger', acts: [] },
  { at: 1, away: 1, sponsor: 'Halyard Books', acts: ['pay', 'send_creative'], creative: 'almanac' },
  { at: 0, away: 2, sponsor: 'Maison Quéré', acts: ['invoice'] },
  { at: 1, away: 3, sponsor: 'Halyard Books', acts: ['pay'] },
  { at: 1, away: 5, sponsor: 'Sillon Charts', acts: [] },
]

interface Selling {
  newsletterId: string
  timezone: string
  /** When publications usually go out: 0 is Sunday. */
  weekday: number
  now: number
}

/** Placements, and a calendar in which some is sold, asked for, free and blocked. Returns the ids of the placements. */
export async function insertSponsorship(db: Db, { newsletterId, timezone, weekday, now }: Selling): Promise<number[]> {
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
  const next = nextOn(weekday, now)
  const dayOf = (away: number) => dayAt({ timezone }, new Date(next + away * 7 * DAY))
  await sql`insert into sponsor_day (newsletter_id, day, kind, reason)
    values (${newsletterId}, ${dayOf(4)}::date, 'blocked', 'No letter between the years')`.execute(db)
  for (const [index, one] of bought.entries()) {
    const placementId = ids[one.at]?.id ?? 0
    const at = new Date(Math.min(now - (30 - index) * 3_600_000, next + (one.away * 7 - 12) * DAY))
    const price = placements[one.at]?.prices.eur ?? 0
    const bookingId = await insertBooking(db, {
      ...{ newsletterId, placementId, day: dayOf(one.away), sponsor: one.sponsor, contact: '', language: 'fr' },
      ...{ email: 'bonjour@sponsor.example', currency: 'eur', amount: price, at },
      ...(one.acts.length === 0
        ? {
            state: 'requested',
            actor: 'sponsor',
            message: 'Nous aimons ce que vous faites. La date vous convient-elle ?',
          }
        : { state: 'accepted', actor: 'member' }),
    })
    const creative = one.creative && texts[one.creative]
    for (const act of one.acts)
      await changeBooking(
        db,
        { newsletterId, bookingId },
        { act, actor: 'member', at, ...(creative && { creative: { ...creative, image: null } }) },
      )
  }
  return ids.map(({ id }) => id)
}

/** The next such weekday, at noon; today is none of them. */
function nextOn(weekday: number, now: number): number {
  const day = new Date(now)
  day.setUTCHours(12, 0, 0, 0)
  do day.setUTCDate(day.getUTCDate() + 1)
  while (day.getUTCDay() !== weekday)
  return day.getTime()
}
