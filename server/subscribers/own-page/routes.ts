import type { FastifyReply, FastifyRequest } from 'fastify'
import { addLine } from '../../audit/lines.ts'
import type { CardAct } from '../../charge/card/act.ts'
import { pauseMonths as cardPauseMonths } from '../../charge/card/contract.ts'
import { portalPage } from '../../charge/own/subscriptions.page.tsx'
import { cancelReasons, changeOwn, hasPaid, listOwn, requireOwn } from '../../charge/own/subscriptions.ts'
import { portalAddress } from '../../charge/stripe/actions.ts'
import { isTestRecipient } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import { enqueue } from '../../jobs/queue.ts'
import { defaultLanguage, isLanguage, type Language } from '../../languages.ts'
import { findDeletedNewsletter } from '../../newsletters/membership.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenLanguage, chosenOr, pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import { eraseSubscriber } from '../../personal-data/erase.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { translator } from '../../translator.ts'
import { type Address, readAddress } from '../address.ts'
import { removeName } from '../change.ts'
import { lostLinkPage, testMailPage } from '../leave.page.tsx'
import { monthsLater, pausedUntil, pauseMonths } from '../leave.ts'
import { offeredPaces } from '../pace.ts'
import { chooseLanguage, choosePace, pauseSubscriber } from '../preferences.ts'
import { findSubscriber, type SubscriberRow } from '../queries.ts'
import { receiptsOf } from '../receipts/download.ts'
import { keepAddressSecret } from '../secret-address.ts'
import type { SubscribeLimits } from '../subscribe-limits.ts'
import { ownPageAddress, SubscriberLinks } from '../subscriber-links.ts'
import { everythingAbout, findKept } from './kept.ts'
import { eraseAskedPage, erasedPage, type OwnNotice, ofMail, ownNotices, ownPage } from './own.page.tsx'

const MAX_FORM_BYTES = 16 * 1024
/** For one subscriber. A file is made of a dozen tables. */
const DOWNLOADS_A_MINUTE = 10

interface Found {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
  /** Whether the link went to the subscriber's address, within the last hour. */
  fresh: boolean
  /** Why a link that went there opens no more: longer ago, or to an address that they have no longer. */
  ended: 'expired' | 'replaced' | null
  token: string
}

/** What the next page says. Once all is erased, it is no longer the subscriber's own. */
type Outcome = OwnNotice | 'erased'

/** A subscriber's own page. Opening it changes nothing, for scanners of mail follow every link. */
export function ownPageRoutes(context: WithRelays, limits: SubscribeLimits, newsletters: PublicNewsletters): Route[] {
  const { config, db, signer, now, relays } = context
  const links = new SubscriberLinks(config.secret, signer)
  const downloads = new Limit(DOWNLOADS_A_MINUTE, 60)

  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const token = textFields(request.params).token ?? ''
    const opened = links.read(token)
    if (!opened) return null
    const { newsletterId, subscriberId } = opened
    const newsletter = (await newsletters.find(newsletterId)) ?? (await findDeletedNewsletter(db, newsletterId))
    const subscriber = newsletter && (await findSubscriber(db, newsletter.id, subscriberId))
    if (!subscriber) return null
    const fresh = links.proves(opened, subscriber, now())
    return {
      newsletter,
      subscriber,
      language: chosenOr(request, subscriber.language),
      fresh,
      ended: !opened.fresh || fresh ? null : opened.fresh.until <= now() ? 'expired' : 'replaced',
      token,
    }
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    const { ask, said, to = '' } = textFields(request.query)
    if (!found && said === 'erased' && links.read(textFields(request.params).token ?? ''))
      return sendPage(reply, erasedPage(pageLanguage(request, defaultLanguage)), { cacheControl: 'no-store' })
    if (!found) return sendPage(reply, await pageOfNobody(request), { status: 404, cacheControl: 'no-store' })
    if (found.fresh && ask === 'erase') {
      const [subscriptions, paid] = await Promise.all([listOwn(db, keyOf(found), now()), hasPaid(db, found.subscriber)])
      return sendPage(reply, eraseAskedPage({ ...found, subscriptions, hasPaid: paid }), { cacheControl: 'no-store' })
    }
    const notice = noticeOf(said, found, readAddress(to))
    const rendered = ownPage({
      ...found,
      kept: found.fresh ? await findKept(db, found.subscriber, now()) : null,
      paused: pausedUntil(found.subscriber, now()),
      notice,
      caught: notice !== null && ofMail.includes(notice) && (await relays.caughtHere(found.newsletter.id)),
      movingTo: readAddress(to)?.typed ?? '',
    })
    return sendPage(reply, rendered, { cacheControl: 'no-store' })
  }

  const pageOfNobody = async (request: FastifyRequest) => {
    const { token = '' } = textFields(request.params)
    // It is first in the token, so that a link which was cut at its end still names it.
    const newsletter = await newsletters.find(token.split('.')[0] ?? '')
    const language = pageLanguage(request, newsletter?.language ?? defaultLanguage)
    return newsletter && isTestRecipient(links.read(token)?.subscriberId ?? '')
      ? testMailPage(newsletter, language)
      : lostLinkPage(newsletter, language, 'own')
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (found?.fresh && textFields(request.body).act === 'portal') return toPortal(found, request, reply)
    const notice = found && (await perform(found, request))
    const to = notice === 'moving' ? textFields(request.body).email : undefined
    const place = found?.fresh && textFields(request.body).act === 'move' ? '#move' : ''
    return reply.redirect(`${request.url.split('?')[0]}${queryOf(request, notice, to)}${place}`, 303)
  }

  async function perform(found: Found, request: FastifyRequest): Promise<Outcome | null> {
    const { subscriber, fresh } = found
    const { act, ...fields } = textFields(request.body)
    const key = { newsletterId: found.newsletter.id, subscriberId: subscriber.id }
    if (act === 'preferences') {
      if (isLanguage(fields.language)) await chooseLanguage(db, key, fields.language)
      const months = pauseMonths.find((one) => String(one) === fields.pace)
      const pace = offeredPaces(found.newsletter).find((one) => one === fields.pace)
      if ((months || pace) && subscriber.status !== 'active') return 'noPace'
      if (months) await pauseSubscriber(db, key, monthsLater(now(), months))
      if (pace) await choosePace(db, key, pace)
      return 'saved'
    }
    if (act === 'mail') {
      await limits.ofOwnPage({ network: networkOf(request.ip), normalised: subscriber.email_normalised })
      await enqueue(db, 'mail_own_page', key)
      return 'mailed'
    }
    // What follows is for the person alone, and a mail may have been forwarded.
    if (!fresh) return null
    if (act === 'name') {
      await removeName(db, key)
      return 'saved'
    }
    const cardAct = cardActOf(act, fields)
    if (cardAct) {
      const change = { subscriptionId: fields.subscription ?? '', act: cardAct }
      return changeOwn(context, key, change).then(() => noticeOfAct[cardAct.to], problemOf)
    }
    if (act === 'move') {
      const to = readAddress(fields.email ?? '')
      if (!to) return 'notAddress'
      if (to.normalised === subscriber.email_normalised) return 'sameAddress'
      await limits.ofMove({ ...key, network: networkOf(request.ip), normalised: to.normalised })
      // Whether the address can be moved to is for the job to see, so that this answer says nothing of it.
      await enqueue(db, 'mail_move', { ...key, kind: 'ask', to: to.typed })
      return 'moving'
    }
    if (act === 'erase') {
      if (await eraseSubscriber(context, key))
        await addLine(db, { newsletterId: key.newsletterId, act: 'subscriber_erased', actor: 'subscriber' })
      return 'erased'
    }
    return null
  }

  /** To Stripe's page with card and invoices. A form of ours may lead to our pages alone, so the browser goes on by itself. */
  async function toPortal(found: Found, request: FastifyRequest, reply: FastifyReply) {
    const { newsletter, language, token } = found
    const subscriptionId = textFields(request.body).subscription ?? ''
    const back = ownPageAddress(config, token)
    try {
      const { id } = await requireOwn(db, keyOf(found), subscriptionId)
      const url = await portalAddress(context, { newsletterId: newsletter.id, subscriptionId: id }, { language, back })
      reply.header('refresh', `0; url=${url}`)
      return sendPage(reply, portalPage({ newsletter, language, url }), { cacheControl: 'no-store' })
    } catch (error) {
      return reply.redirect(`${request.url.split('?')[0]}${queryOf(request, problemOf(error))}`, 303)
    }
  }

  /** Sends a file to who came by a fresh link. Everybody else is shown the page, which says how to get one. */
  const download =
    (name: 'data' | 'receipts', read: (found: Found) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      keepAddressSecret(reply)
      const found = await find(request)
      if (!found?.fresh) return reply.redirect(`/me/${encodeURIComponent(textFields(request.params).token ?? '')}`, 303)
      await downloads.take(found.subscriber.id)
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${translator(found.language)(`own.file.${name}`)}.json"`)
        .send(JSON.stringify(await read(found), null, 2))
    }

  const keyOf = ({ newsletter, subscriber }: Found) => ({ newsletterId: newsletter.id, subscriberId: subscriber.id })

  return [
    page('GET /me/:token', show),
    page('POST /me/:token', submit, { bodyLimit: MAX_FORM_BYTES }),
    page(
      'GET /me/:token/data',
      download('data', (found) => everythingAbout(db, found.newsletter, keyOf(found))),
    ),
    page(
      'GET /me/:token/receipts',
      download('receipts', (found) => receiptsOf(db, keyOf(found))),
    ),
  ]
}

/** What the page says first. That a mail is on its way is said with its address alone. */
function noticeOf(said: string | undefined, { ended }: Pick<Found, 'ended'>, to: Address | null): OwnNotice | null {
  const notice = ownNotices.find((known) => known === said && (known !== 'moving' || to !== null))
  return notice ?? ended
}

/** What a form asks to be done with a subscription; null when it asks for something else. */
function cardActOf(act: string | undefined, fields: Record<string, string>): CardAct | null {
  if (act === 'cancel') return { to: act, reason: cancelReasons.find((one) => one === fields.reason) ?? null }
  if (act === 'resume' || act === 'stay') return { to: act }
  const months = cardPauseMonths.find((one) => String(one) === fields.months)
  return act === 'rest' && months ? { to: 'pause', months } : null
}

const noticeOfAct = {
  cancel: 'cancelled',
  resume: 'resumed',
  pause: 'resting',
  stay: 'stayed',
} as const satisfies Record<CardAct['to'], OwnNotice>

/** What the page says when Stripe could not do it. Anything else is a fault of ours. */
function problemOf(error: unknown): OwnNotice {
  if (error instanceof AppError && error.code === 'subscription_not_found') return 'notPaid'
  if (error instanceof AppError && (error.code === 'not_pausable' || error.code === 'no_offer')) return 'notNow'
  if (error instanceof AppError && error.code.startsWith('stripe_')) return 'stripeAway'
  throw error
}

/** Carries the language that was chosen at the foot of the page to the next one. */
function queryOf(request: FastifyRequest, notice: Outcome | null, to?: string): string {
  const lang = chosenLanguage(request)
  const query = new URLSearchParams({ ...(lang && { lang }), ...(notice && { said: notice }), ...(to && { to }) })
  return query.size > 0 ? `?${query}` : ''
}
