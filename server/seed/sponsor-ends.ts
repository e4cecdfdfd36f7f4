import type { Db } from '../database/client.ts'
import { changeBooking, insertBooking } from '../sponsorship/bookings/change.ts'
import { dayAt } from '../sponsorship/days.ts'
import { frenchTypography } from './document-builder.ts'
import type { DatedPublication } from './publications.ts'
import { cameToNothing, contactOf, placements, texts } from './samples/sponsors.ts'
import { DAY } from './subscribers.ts'

interface Ending {
  newsletterId: string
  placementIds: number[]
  publications: DatedPublication[]
  timezone: string
  /** The day of the publication that goes out so many times from now. */
  dayOf: (away: number) => string
  now: number
}

const typeset = (text: string, language: 'en' | 'fr') => (language === 'fr' ? frenchTypography(text) : text)

/** Requests and bookings that came to nothing, and one that did not run and has another day for nothing. */
export async function insertEnds(db: Db, ending: Ending): Promise<void> {
  const { newsletterId, placementIds, now, dayOf } = ending
  for (const { at: which, away, sponsor, language, message, asked, acts } of cameToNothing) {
    const at = now - asked * DAY
    const bookingId = await insertBooking(db, {
      ...{ newsletterId, placementId: placementIds[which] ?? 0, day: dayOf(away), sponsor, language },
      ...{ ...contactOf(sponsor), message: typeset(message, language) },
      ...{ currency: 'eur', amount: placements[which]?.prices.eur ?? 0, state: 'requested', actor: 'sponsor' },
      at: new Date(at),
    })
    for (const { act, actor, daysLater, words = '' } of acts) {
      const step = { act, actor, at: new Date(at + daysLater * DAY), words: typeset(words, language) }
      await changeBooking(db, { newsletterId, bookingId }, step)
    }
  }
  await insertMadeGood(db, ending)
}

/** The fifth letter from now back was sent without what its sponsor had paid for. */
async function insertMadeGood(db: Db, { newsletterId, placementIds, publications, timezone, dayOf, now }: Ending) {
  const missed = publications.filter(({ sample }) => !sample.webOnly).at(-5)
  if (!missed) return
  const creative = { ...texts.ledger, image: null }
  const about = {
    ...{ newsletterId, placementId: placementIds[1] ?? 0, sponsor: creative.name, ...contactOf(creative.name) },
    ...({ language: 'en', currency: 'eur', actor: 'member' } as const),
  }
  const bookingId = await insertBooking(db, {
    ...{ ...about, day: dayAt({ timezone }, new Date(missed.at)), amount: placements[1]?.prices.eur ?? 0 },
    ...{ state: 'accepted', at: new Date(missed.at - 13 * DAY) },
  })
  const missedKey = { newsletterId, bookingId }
  for (const [act, days] of [
    ['pay', -10],
    ['send_creative', -7],
    ['approve', -6],
    ['make_good', 2],
  ] as const) {
    const at = new Date(Math.min(now, missed.at + days * DAY))
    await changeBooking(db, missedKey, { act, actor: 'member', at, creative })
  }
  const at = new Date(Math.min(now, missed.at + 2 * DAY))
  const another = await insertBooking(db, {
    ...{ ...about, day: dayOf(2), amount: 0, state: 'paid', makesGood: bookingId, creative, at },
  })
  const anotherKey = { newsletterId, bookingId: another }
  await changeBooking(db, anotherKey, { act: 'send_creative', actor: 'member', at, creative })
  await changeBooking(db, anotherKey, { act: 'approve', actor: 'member', at })
}
