import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { isTestRecipient, isUuid } from '../database/ids.ts'
import { networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { textFields } from '../http/text-fields.ts'
import { defaultLanguage, isLanguage, type Language } from '../languages.ts'
import { findDeletedNewsletter } from '../newsletters/membership.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { chosenLanguage, chosenOr, pageLanguage } from '../page/language.ts'
import { sendPage } from '../page/send.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import { type ConsentChange, changeByConsent, keepLeaveReason, type SubscriberKey } from './change.ts'
import { type Receipt, receiptOf } from './consent.ts'
import { leaveReasons } from './contract.ts'
import { leavePage, leftPage, lostLinkPage, type Notice, testMailPage } from './leave.page.tsx'
import { monthsLater, pausedUntil, pauseMonths, wayBack } from './leave.ts'
import { offeredPaces } from './pace.ts'
import { chooseLanguage, choosePace, pauseSubscriber } from './preferences.ts'
import { findSubscriber, findSuppression, type SubscriberRow } from './queries.ts'
import { keepAddressSecret } from './secret-address.ts'

interface Found {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
}

/** The unsubscribe page. Its address never expires and needs no sign-in, and pressing its button once is enough. */
export function leaveRoutes({ db, now }: Context, newsletters: PublicNewsletters): Route[] {
  const findFor = async (newsletterId: string) =>
    (await newsletters.find(newsletterId)) ?? (await findDeletedNewsletter(db, newsletterId))

  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const { newsletterId = '', subscriberId = '' } = textFields(request.params)
    const newsletter = isUuid(subscriberId) ? await findFor(newsletterId) : null
    const subscriber = newsletter && (await findSubscriber(db, newsletter.id, subscriberId))
    return subscriber && { newsletter, subscriber, language: chosenOr(request, subscriber.language) }
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find(request)
    const shown = await (found ? pageFor(db, { found, request, now: now() }) : pageOfNobody(request))
    return sendPage(keepAddressSecret(reply), shown, { cacheControl: 'no-store' })
  }

  const pageOfNobody = async (request: FastifyRequest) => {
    const { newsletterId = '', subscriberId = '' } = textFields(request.params)
    const newsletter = await newsletters.find(newsletterId)
    const language = pageLanguage(request, newsletter?.language ?? defaultLanguage)
    return newsletter && isTestRecipient(subscriberId)
      ? testMailPage(newsletter, language)
      : lostLinkPage(newsletter, language, 'leave')
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    const fields = textFields(request.body)
    // RFC 8058: the mail program sends this field and shows nobody the answer.
    if (fields['List-Unsubscribe'] === 'One-Click') {
      if (found) await unsubscribe(found, 'one-click')
      return reply.type('text/plain; charset=utf-8').send('OK')
    }
    const notice = found ? await perform(found, fields) : null
    return reply.redirect(`${request.url.split('?')[0]}${queryOf(request, notice)}`, 303)

    async function perform(
      at: Found,
      { act, reason, language, months, pace }: Record<string, string>,
    ): Promise<Notice> {
      if (act === 'return') {
        await changeByConsent(db, 'returned', [change(at, 'return', 'page')])
        return 'back'
      }
      if (act === 'language') {
        await chooseLanguage(db, keyOf(at), isLanguage(language) ? language : defaultLanguage)
        return 'language'
      }
      if (act === 'pause') {
        const chosen = pauseMonths.find((one) => String(one) === months)
        if (chosen) await pauseSubscriber(db, keyOf(at), monthsLater(now(), chosen))
        return chosen ? 'paused' : null
      }
      if (act === 'pace') {
        const chosen = offeredPaces(at.newsletter).find((one) => one === pace)
        if (chosen) await choosePace(db, keyOf(at), chosen)
        return chosen ? 'paced' : null
      }
      if (act === 'resume') {
        await pauseSubscriber(db, keyOf(at), null)
        return 'resumed'
      }
      if (act === 'reason') {
        const known = leaveReasons.find((one) => one === reason)
        if (known) await keepLeaveReason(db, keyOf(at), known)
        return known ? 'thanks' : 'noReason'
      }
      await unsubscribe(at, 'page')
      return null
    }

    async function unsubscribe(at: Found, means: Receipt['means']): Promise<void> {
      const publicationId = publicationOf(request)
      await changeByConsent(db, 'unsubscribed', [{ ...change(at, 'leave', means), publicationId }])
      if (publicationId) await proveDeliveries(db, 'proved_by_leaving', [{ ...keyOf(at), publicationId }])
    }

    function change(at: Found, act: 'leave' | 'return', means: Receipt['means']): ConsentChange {
      const receipt = receiptOf(act, { ...at, means, network: networkOf(request.ip) })
      return { ...keyOf(at), at: now(), receipt }
    }
  }

  return [
    page('GET /unsub/:newsletterId/:subscriberId', show),
    page('POST /unsub/:newsletterId/:subscriberId', submit, { bodyLimit: 16 * 1024 }),
  ]
}

const keyOf = ({ newsletter, subscriber }: Found): SubscriberKey => ({
  newsletterId: newsletter.id,
  subscriberId: subscriber.id,
})

const notices = ['thanks', 'noReason', 'back', 'language', 'paced', 'paused', 'resumed'] as const

async function pageFor(db: Db, { found, request, now }: { found: Found; request: FastifyRequest; now: Date }) {
  const { newsletter_id, email_normalised, status } = found.subscriber
  const { said } = textFields(request.query)
  const notice = notices.find((known) => known === said) ?? null
  const hrefIn = (other: Language) => queryOf(request, null, other)
  if (status === 'pending' || status === 'active')
    return leavePage({
      ...found,
      ...{ notice, hrefIn },
      paused: pausedUntil(found.subscriber, now),
      address: `${request.url.split('?')[0]}${queryOf(request, null)}`,
    })
  const suppression = await findSuppression(db, newsletter_id, email_normalised)
  return leftPage({ ...found, notice, hrefIn, way: wayBack(found.subscriber, suppression?.reason ?? null, now) })
}

/** Carries the publication that somebody leaves by, and the language that was chosen at the foot of this page, to the next one. */
function queryOf(request: FastifyRequest, notice: Notice, lang = chosenLanguage(request)): string {
  const { p } = textFields(request.query)
  const query = new URLSearchParams()
  if (lang) query.set('lang', lang)
  if (p !== undefined) query.set('p', p)
  if (notice) query.set('said', notice)
  return query.size > 0 ? `?${query}` : ''
}

function publicationOf(request: FastifyRequest): string | null {
  const { p = '' } = textFields(request.query)
  return /^\w{1,40}$/.test(p) ? p : null
}
