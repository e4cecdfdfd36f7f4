import { isDeepStrictEqual } from 'node:util'
import { unlessSame } from '../audit/unless-same.ts'
import { on, type Route } from '../http/routes.ts'
import type { AuditLine, NewsletterRow } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import { act, correctBooking, enterBooking, enterCreative, giveAnotherDay, linkOf } from './bookings/act.ts'
import { type BookingKey, pageOfBookings, readBooking } from './bookings/bookings.ts'
import { couldRunIn } from './bookings/coming.ts'
import * as bookings from './bookings/contract.ts'
import { noteMoney } from './bookings/money.ts'
import { calendarOf } from './calendar/calendar.ts'
import * as calendar from './calendar/contract.ts'
import * as contract from './contract.ts'
import { dayAt, setDay } from './days.ts'
import * as house from './house/contract.ts'
import { addHouse, changeHouse, findHouse, listHouse } from './house/house.ts'
import {
  addPlacement,
  changePlacement,
  changeSettings,
  findPlacement,
  listPlacements,
  settingsOf,
} from './placements.ts'
import { placementNameIn } from './public/words.ts'
import * as reports from './report/contract.ts'
import { linkOfReport, readReport } from './report/report.ts'
import type { BookingChanges } from './tell.ts'

/** Placements, the calendar and bookings, for who runs the newsletter. */
export function sponsorshipRoutes(context: WithRelays, changes: BookingChanges): Route[] {
  const { db, now } = context
  const changing = { db, now, changes }
  /** Members read the audit in their own languages. */
  const namesOf = (placement: Pick<contract.Placement, 'words'>, { language }: Pick<NewsletterRow, 'language'>) => ({
    name: placementNameIn(placement, language),
    names: Object.fromEntries(Object.entries(placement.words).map(([its, { name }]) => [its, name])),
  })
  /** Before the act: the line of one that is refused says too whose booking it was. @throws AppError booking_not_found */
  const nameSponsor = async (key: BookingKey, auditLine: AuditLine | null) =>
    auditLine?.note({ sponsor: (await readBooking(db, key)).sponsor })
  return [
    on(contract.listPlacements, async ({ newsletter }) => ({
      placements: await listPlacements(db, newsletter.id),
      settings: settingsOf(newsletter),
    })),
    on(contract.createPlacement, ({ newsletter, body, auditLine }) => {
      auditLine?.note(namesOf(body, newsletter))
      return addPlacement(context, newsletter.id, body)
    }),
    on(contract.updatePlacement, async ({ newsletter, params: { placementId }, body, auditLine }) => {
      const key = { newsletterId: newsletter.id, placementId }
      const read = () => findPlacement(db, key)
      const changed = await unlessSame(auditLine, read, () => changePlacement(context, key, body))
      auditLine?.note(namesOf(changed, newsletter))
      return changed
    }),
    on(contract.updateSponsorship, async ({ newsletter, body, auditLine }) => {
      const before = settingsOf(newsletter)
      const changed = await changeSettings(db, newsletter, body)
      const same = (name: contract.SponsorSettingName) => isDeepStrictEqual(before[name], changed[name])
      await auditLine?.forget(contract.sponsorSettingNames.filter(same))
      return changed
    }),
    on(contract.setSponsorDay, async ({ newsletterId, body }) => {
      await db.transaction().execute((tx) => setDay(tx, newsletterId, body))
      return { done: true as const }
    }),
    on(house.listHouseCampaigns, async ({ newsletterId }) => ({ campaigns: await listHouse(db, newsletterId) })),
    on(house.createHouseCampaign, ({ newsletterId, body, auditLine }) => {
      auditLine?.note({ name: body.name })
      return addHouse(context, newsletterId, body)
    }),
    on(house.updateHouseCampaign, async ({ newsletterId, params: { houseCampaignId }, body, auditLine }) => {
      const key = { newsletterId, campaignId: houseCampaignId }
      const changed = await unlessSame(
        auditLine,
        () => findHouse(db, key),
        () => changeHouse(context, key, body),
      )
      auditLine?.note({ name: changed.name })
      return changed
    }),
    on(calendar.readCalendar, ({ newsletter, query }) => calendarOf(context, newsletter, query)),
    on(bookings.listBookings, ({ newsletter, query }) => pageOfBookings(db, newsletter, { ...query, now: now() })),
    on(bookings.getBooking, async ({ newsletter, params: { bookingId } }) => {
      const booking = await readBooking(db, { newsletterId: newsletter.id, bookingId })
      const today = dayAt(newsletter, now())
      return { ...booking, couldRunIn: await couldRunIn(db, newsletter.id, { booking, today }) }
    }),
    on(bookings.createBooking, async ({ newsletter, userId, body, auditLine }) => {
      auditLine?.note({ sponsor: body.sponsor })
      return enterBooking(context, newsletter, { ...body, userId })
    }),
    on(bookings.updateBooking, ({ newsletterId, params: { bookingId }, body }) =>
      correctBooking(context, { newsletterId, bookingId }, body),
    ),
    on(bookings.actOnBooking, async ({ newsletter, userId, params: { bookingId }, body, auditLine }) => {
      await nameSponsor({ newsletterId: newsletter.id, bookingId }, auditLine)
      return act(changing, { newsletter, bookingId }, { ...body, userId })
    }),
    on(bookings.moneyOfBooking, async ({ newsletterId, userId, params: { bookingId }, body, language, auditLine }) => {
      await nameSponsor({ newsletterId, bookingId }, auditLine)
      const noted = { ...body, language, userId }
      const { booking, givenBack } = await noteMoney(changing, { newsletterId, bookingId }, noted)
      if (givenBack) auditLine?.note({ givenBack, currency: booking.currency })
      return booking
    }),
    on(bookings.setCreative, async ({ newsletterId, userId, params: { bookingId }, body, auditLine }) => {
      const { seen, ...creative } = body
      const entered = { creative, seen, actor: 'member', userId } as const
      await nameSponsor({ newsletterId, bookingId }, auditLine)
      return enterCreative(changing, { newsletterId, bookingId }, entered)
    }),
    on(bookings.makeGood, async ({ newsletter, userId, params: { bookingId }, body: { day }, auditLine }) => {
      await nameSponsor({ newsletterId: newsletter.id, bookingId }, auditLine)
      return giveAnotherDay(changing, newsletter, { bookingId, day, userId })
    }),
    on(bookings.linkOfBooking, async ({ newsletterId, params: { bookingId }, body, auditLine }) => {
      await nameSponsor({ newsletterId, bookingId }, auditLine)
      return linkOf(context, { newsletterId, bookingId }, body)
    }),
    on(reports.readReport, ({ newsletter, params: { bookingId } }) => readReport(context, newsletter, bookingId)),
    on(reports.linkOfReport, async ({ newsletterId, params: { bookingId }, body, auditLine }) => {
      await nameSponsor({ newsletterId, bookingId }, auditLine)
      return linkOfReport(context, { newsletterId, bookingId }, body)
    }),
  ]
}
