import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../../errors.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import { defaultLanguage } from '../../languages.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenOr, pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { translator } from '../../translator.ts'
import { findBooking, type StoredBooking } from '../bookings/bookings.ts'
import { insertBooking } from '../bookings/change.ts'
import { requireSold } from '../days.ts'
import { findPlacement } from '../placements.ts'
import type { BookingChanges } from '../tell.ts'
import { confirmPage } from './confirm.page.tsx'
import { bookingAddress, type requestLinks, type SponsorRequest } from './links.ts'
import { sponsorAddress } from './sponsor.page.tsx'

const MAX_FORM_BYTES = 16 * 1024
/** Requests of one address that wait for an answer. */
const MOST_OPEN = 3

type Made = Pick<StoredBooking, 'linkVersion'>

/** @throws what is no refusal */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code
  throw error
}

interface Confirming {
  newsletters: PublicNewsletters
  changes: BookingChanges
  links: ReturnType<typeof requestLinks>
}

type Refusal = 'link' | 'taken' | 'unsold' | 'many'

const refusals: Readonly<Record<string, Refusal>> = { too_many_bookings: 'many', slot_taken: 'taken' }

/** Why a request makes no booking, as its page says it: what is not taken is not sold any more. */
const refusalOf = (code: string | null): Refusal => refusals[code ?? 'slot_taken'] ?? 'unsold'

/** `/sponsor/confirm/{token}`: the page asks once more, for scanners of mail open every link, and its button makes the booking. */
export function confirmRequest(context: WithRelays, { newsletters, changes, links }: Confirming): Route[] {
  const { db, now } = context

  const find = async (
    request: FastifyRequest,
  ): Promise<{ asked: SponsorRequest; newsletter: NewsletterRow } | null> => {
    const asked = links.read(textFields(request.params).token ?? '', now())
    const newsletter = asked && (await newsletters.find(asked.newsletterId))
    return asked && newsletter?.id === asked.newsletterId && newsletter.sponsor_page !== 'closed'
      ? { asked, newsletter }
      : null
  }

  const refuse = (reply: FastifyReply, newsletter: NewsletterRow | null, why: Refusal) => {
    const language = pageLanguage(reply.request, newsletter?.language ?? defaultLanguage)
    const t = translator(language)
    const notice = {
      title: t(`sponsors.confirm.not.${why}.title`),
      text: t(`sponsors.confirm.not.${why}.text`),
      action: newsletter && {
        label: t('sponsors.confirm.again'),
        href: `${sponsorAddress(newsletter)}?lang=${language}`,
      },
    }
    const status = why === 'link' ? 404 : 409
    return sendPage(reply, noticePage(newsletter, language, notice), { status, cacheControl: 'no-store' })
  }

  /** The booking that was made of a request, or null. */
  const madeOf = ({ newsletterId, bookingId }: SponsorRequest) =>
    findBooking(db, { newsletterId, bookingId }).catch((error: unknown) => {
      if (error instanceof AppError) return null
      throw error
    })

  const toBooking = (reply: FastifyReply, { newsletterId, bookingId, language }: SponsorRequest, made: Made) => {
    const address = new URL(bookingAddress(context, { newsletterId, bookingId, linkVersion: made.linkVersion }))
    return reply.redirect(`${address.pathname}?lang=${language}`, 303)
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return refuse(reply, null, 'link')
    const { newsletterId, placementId } = found.asked
    const made = await madeOf(found.asked)
    if (made) return toBooking(reply, found.asked, made)
    const placement = await findPlacement(db, { newsletterId, placementId })
    const language = chosenOr(request, found.asked.language)
    return sendPage(reply, confirmPage({ ...found, placement, language }), { cacheControl: 'no-store' })
  }

  /** The token names the booking that it makes, so pressing twice makes one. */
  const store = async ({ asked, newsletter }: { asked: SponsorRequest; newsletter: NewsletterRow }) =>
    db.transaction().execute(async (tx) => {
      const at = now()
      const key = { newsletterId: newsletter.id, bookingId: asked.bookingId }
      await insertBooking(tx, {
        ...asked,
        id: asked.bookingId,
        state: 'requested',
        actor: 'sponsor',
        at,
        mostOpen: MOST_OPEN,
      })
      await requireSold(tx, newsletter, { day: asked.day, now: at })
      await changes.tellSponsor(tx, key, { act: 'request' })
      await changes.tellOwners(tx, key, 'request')
    })

  const confirm = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return refuse(reply, null, 'link')
    const { asked, newsletter } = found
    const refusal = (await madeOf(asked)) ? null : await store(found).then(() => null, codeOf)
    // Pressed twice at the same moment, it was refused, and the other one made it.
    const made = await madeOf(asked)
    return made ? toBooking(reply, asked, made) : refuse(reply, newsletter, refusalOf(refusal))
  }

  return [
    page('GET /sponsor/confirm/:token', show),
    page('POST /sponsor/confirm/:token', confirm, { bodyLimit: MAX_FORM_BYTES }),
  ]
}
