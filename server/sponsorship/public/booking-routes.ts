import type { FastifyReply, FastifyRequest } from 'fastify'
import { goingPage } from '../../charge/stripe/going.page.tsx'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { readForm, type SentForm, takingFile } from '../../http/form-with-file.ts'
import { Limit } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Uploading } from '../../media/routes.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenOr } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { enterCreative } from '../bookings/act.ts'
import { type BookingKey, findBooking, isUnpaidInvoice, readBooking, wentWithMoney } from '../bookings/bookings.ts'
import { type Booking, creativeLimits } from '../bookings/contract.ts'
import { heldImage } from '../bookings/creative-image.ts'
import { dayAt } from '../days.ts'
import { isPayable, paymentsOf } from '../payment/payments-of.ts'
import { findPlacement } from '../placements.ts'
import type { BookingChanges } from '../tell.ts'
import { bookingPage, canWithdraw, isStillTrue, type Notice, notices, type Problems } from './booking.page.tsx'
import { closedLinkPage } from './closed-link.page.tsx'
import { judgeCreative } from './creative-form.ts'
import { readToken, reportAddress } from './links.ts'
import { beginPayment, type Going } from './pay.ts'
import { SponsorImages } from './sponsor-images.ts'

/** The longest text, where each character takes nine bytes, and the other fields. */
const MAX_FORM_BYTES = 64 * 1024
/** Of one booking in ten minutes. */
const ACTS = 30

/**
 * The booking whose invoice a sponsor has still to pay: this one, or the one that was sold before it got another day. Who is cancelled in the
 * end owes nothing, unless their text ran before.
 */
async function findOwing(db: Db, key: BookingKey) {
  const booking = await readBooking(db, key)
  const { state, unpaidFor, madeGoodBy, ranOn } = booking
  const lostItsDay = state === 'cancelled' || state === 'refunded' || madeGoodBy?.stands === false
  if (lostItsDay && !ranOn) return null
  if (unpaidFor) return readBooking(db, { ...key, bookingId: unpaidFor.id })
  return isUnpaidInvoice(booking) ? booking : null
}

interface Found {
  newsletter: NewsletterRow
  booking: Booking
  key: BookingKey
}

/** `/booking/{token}`: a sponsor's own page, without an account. Opening it changes nothing. */
export function bookingRoutes(
  context: Context,
  newsletters: PublicNewsletters,
  { changes, uploading }: { changes: BookingChanges; uploading: Uploading },
): Route[] {
  const { db, now, signer } = context
  const acts = new Limit(ACTS, 600)
  const images = new SponsorImages(context, uploading)

  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const linked = readToken(signer, 'sponsor booking', textFields(request.params).token ?? '')
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
    const { state, day, steps, cardPayments, madeGoodBy, paidFor, paidHere, ranOn, ranBefore } = await readBooking(
      db,
      key,
    )
    const today = dayAt(newsletter, now())
    const { means, test } = await paymentsOf(context, newsletter.id)
    const payable = await isPayable(db, { newsletter, booking, now: now() })
    const inTest = (payable && test) || cardPayments.some((one) => one.test)
    const payment = { means, payable, inTest }
    // What a member asked for is answered by the next text.
    const last = steps.findLast(({ actor, act }) => act === 'send_creative' || (actor === 'member' && act !== 'enter'))
    const owing = await findOwing(db, key)
    // How to pay is still to be read when other words came after it.
    const howToPay = owing?.steps.findLast(({ act, words }) => act === 'invoice' && words !== '')
    const said = [howToPay, last?.actor === 'member' ? last : undefined].flatMap((step) => step?.words || [])
    const doneAt = (is: (step: (typeof steps)[number]) => boolean) => steps.findLast(is)?.at ?? null
    return bookingPage({
      ...{ newsletter, booking, payment, unpaid: owing, ...more },
      said: [...new Set(said)],
      ...{
        paidFor,
        paidHere,
        isUnrun: wentWithMoney({ state, day, steps }, today),
        otherDay: madeGoodBy,
        ...{ ranOn, ranBefore },
      },
      isAgreed: steps.some(({ act, state }) => act === 'enter' && state === 'accepted'),
      held: await heldImage(db, key),
      today,
      done: {
        // What was agreed by hand begins as accepted.
        accepted: doneAt(({ act, state }) => act === 'accept' || (act === 'enter' && state === 'accepted')),
        sent: doneAt(({ act }) => act === 'send_creative'),
        approved: doneAt(({ act }) => act === 'approve'),
      },
      language: chosenOr(request, booking.language),
      reportHref: booking.ranAt && reportAddress(context, { ...key, linkVersion: booking.reportVersion }),
      placement: await findPlacement(db, { newsletterId: newsletter.id, placementId: booking.placementId }),
    })
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return sendPage(reply, closedLinkPage(request.language), { status: 404, cacheControl: 'no-store' })
    const notice = notices.find((one) => one === textFields(request.query).said) ?? null
    const shown = notice && isStillTrue(notice, found.booking) ? notice : null
    return sendPage(reply, await draw(request, found, { notice: shown }), { cacheControl: 'no-store' })
  }

  /** Nothing of what is sent is read before the link is known, and a file is kept in memory only where there is a place for it. */
  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return sendPage(reply, closedLinkPage(request.language), { status: 404, cacheControl: 'no-store' })
    const release = request.isMultipart() ? images.takePlace(found.key) : null
    try {
      const form = await readForm(request, {
        ...{ fileBytes: creativeLimits.bytes, fieldBytes: MAX_FORM_BYTES, keepsFile: release !== null },
      })
      const done = await carryOut(request, found, form)
      if (typeof done === 'string') return back(request, reply, { found, said: done })
      if ('url' in done) return goOn(request, reply, { found, going: done })
      const drawn = await draw(request, found, { typed: form.fields, problems: done })
      return sendPage(reply, drawn, { status: done.limit ? 429 : 422, cacheControl: 'no-store' })
    } finally {
      release?.()
    }
  }

  const back = (request: FastifyRequest, reply: FastifyReply, { found, said }: { found: Found; said: Notice }) => {
    const language = chosenOr(request, found.booking.language)
    return reply.redirect(`${request.url.split('?')[0]}?lang=${language}&said=${said}`, 303)
  }

  /** On to Stripe. A page of ours may send its forms to us alone, redirects included, so the browser goes on by itself. */
  const goOn = (request: FastifyRequest, reply: FastifyReply, { found, going }: { found: Found; going: Going }) => {
    const language = chosenOr(request, found.booking.language)
    reply.header('refresh', `0; url=${going.url}`)
    return sendPage(reply, goingPage(found.newsletter, language, going), { cacheControl: 'no-store' })
  }

  const carryOut = async (
    request: FastifyRequest,
    found: Found,
    form: SentForm,
  ): Promise<Notice | Problems | Going> => {
    try {
      await acts.take(found.key.bookingId)
      if (form.fields.act === 'pay')
        return await beginPayment(context, found, chosenOr(request, found.booking.language))
      return form.fields.act === 'withdraw' ? await withdraw(found) : await say(found, form)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'too_many_requests') return { limit: true }
      if (error.code === 'booking_moved_on') return 'moved'
      throw error
    }
  }

  const say = async ({ booking, key }: Found, form: SentForm): Promise<Notice | Problems> => {
    if (!booking.acts.includes('send_creative')) return 'moved'
    const here = (await heldImage(db, key)) ?? booking.creative?.image?.mediaId ?? null
    const { words, alt, image, problems } = judgeCreative({ ...form, typed: form.fields, here, booking })
    const stored = image === 'new' ? await (form.file ? images.store(key, form.file) : 'busy') : null
    if (typeof stored === 'string') return { ...problems, image: `image_${stored}` }
    if (!words) {
      if (stored) await images.hold(key, stored.mediaId)
      return problems
    }
    const mediaId = stored?.mediaId ?? (image === 'here' && here ? here : undefined)
    try {
      const creative = { ...words, image: mediaId === undefined ? null : { mediaId, alt } }
      await enterCreative({ db, now, changes }, key, { creative, actor: 'sponsor', userId: null })
      return 'sent'
    } catch (error) {
      if (stored) await images.remove(key, stored.mediaId)
      if (!(error instanceof AppError)) throw error
      // Another form of theirs, or the newsletter, took the image away at the same moment.
      if (error.code === 'media_not_found') return { image: 'again' }
      // The placement was changed meanwhile.
      if (error.code === 'invalid') return error.fields?.image ? { image: 'image' } : { text: 'text' }
      throw error
    }
  }

  const withdraw = async ({ booking, key }: Found): Promise<Notice> => {
    if (!canWithdraw(booking)) throw new AppError('booking_moved_on')
    await db.transaction().execute(async (tx) => {
      await changes.change(tx, key, { act: 'withdraw', actor: 'sponsor', at: now() })
      await changes.tellSponsor(tx, key, { act: 'withdraw' })
      await changes.tellOwners(tx, key, 'withdrawn')
    })
    return 'withdrawn'
  }

  return [
    page('GET /booking/:token', show),
    takingFile(page('POST /booking/:token', submit, { bodyLimit: MAX_FORM_BYTES })),
  ]
}
