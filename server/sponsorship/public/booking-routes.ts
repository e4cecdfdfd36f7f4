import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { Limit } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { enterCreative } from '../bookings/act.ts'
import { type BookingKey, findBooking, readBooking } from '../bookings/bookings.ts'
import { type Booking, Creative } from '../bookings/contract.ts'
import { findPlacement } from '../placements.ts'
import type { BookingChanges } from '../tell.ts'
import { bookingPage, canWithdraw, creativeFields } from './booking.page.tsx'
import { readBookingToken } from './links.ts'

const MAX_FORM_BYTES = 16 * 1024
/** Of one booking in ten minutes. */
const ACTS = 30
const notices = ['sent', 'withdrawn', 'moved'] as const

interface Found {
  newsletter: NewsletterRow
  booking: Booking
  key: BookingKey
}

/** `/booking/{token}`: a sponsor's own page, without an account. Opening it changes nothing. */
export function bookingRoutes(context: WithRelays, newsletters: PublicNewsletters, changes: BookingChanges): Route[] {
  const { db, now, signer } = context
  const acts = new Limit(ACTS, 600)

  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const linked = readBookingToken(signer, textFields(request.params).token ?? '')
    const newsletter = linked && (await newsletters.find(linked.newsletterId))
    if (!linked || newsletter?.id !== linked.newsletterId) return null
    const key = { newsletterId: linked.newsletterId, bookingId: linked.bookingId }
    const booking = await findBooking(db, key).catch(() => null)
    return booking && booking.linkVersion === linked.linkVersion ? { newsletter, booking, key } : null
  }

  const draw = async (
    request: FastifyRequest,
    { newsletter, booking, key }: Found,
    more: Pick<Parameters<typeof bookingPage>[0], 'notice' | 'typed' | 'problems'> = {},
  ) => {
    const { steps } = await readBooking(db, key)
    const last = steps.findLast(({ actor, act }) => actor === 'member' && act !== 'enter')
    return bookingPage({
      ...{ newsletter, booking, said: last?.words ?? '', ...more },
      language: pageLanguage(request, booking.language),
      placement: await findPlacement(db, { newsletterId: newsletter.id, placementId: booking.placementId }),
    })
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return sendPage(reply, closedPage(request.language), { status: 404, cacheControl: 'no-store' })
    const notice = notices.find((one) => one === textFields(request.query).said) ?? null
    return sendPage(reply, await draw(request, found, { notice }), { cacheControl: 'no-store' })
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return sendPage(reply, closedPage(request.language), { status: 404, cacheControl: 'no-store' })
    await acts.take(found.key.bookingId)
    const { act, ...typed } = textFields(request.body)
    const back = (said: (typeof notices)[number]) =>
      reply.redirect(
        `${request.url.split('?')[0]}?lang=${pageLanguage(request, found.booking.language)}&said=${said}`,
        303,
      )
    try {
      if (act === 'withdraw') return await withdraw(found).then(() => back('withdrawn'))
      const creative = Creative.safeParse({ ...typed, text: typed.text?.replaceAll('\r\n', '\n') })
      const wrong = creative.success
        ? []
        : creativeFields.filter((name) => creative.error.issues.some(({ path }) => path[0] === name))
      if (!creative.success) return await refuse(request, reply, { found, typed, wrong })
      await enterCreative({ db, now, changes }, found.key, { creative: creative.data, actor: 'sponsor' })
      return back('sent')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'invalid') return refuse(request, reply, { found, typed, wrong: ['text'] })
      if (error.code === 'booking_moved_on') return back('moved')
      throw error
    }
  }

  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { found, typed, wrong }: { found: Found; typed: Record<string, string>; wrong: (typeof creativeFields)[number][] },
  ) =>
    sendPage(reply, await draw(request, found, { typed, problems: wrong }), { status: 422, cacheControl: 'no-store' })

  const withdraw = ({ booking, key }: Found): Promise<void> => {
    if (!canWithdraw(booking)) throw new AppError('booking_moved_on')
    return db.transaction().execute(async (tx) => {
      await changes.change(tx, key, { act: 'withdraw', actor: 'sponsor', at: now() })
      await changes.tellOwners(tx, key, 'withdrawn')
    })
  }

  return [page('GET /booking/:token', show), page('POST /booking/:token', submit, { bodyLimit: MAX_FORM_BYTES })]
}
