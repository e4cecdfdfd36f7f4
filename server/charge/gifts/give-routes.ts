import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Language } from '../../languages.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { readAddress } from '../../subscribers/address.ts'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { canComputeKeys, ProofsOfWork } from '../../subscribers/proof-of-work.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { SubscriptionRequests } from '../../subscribers/subscribe.ts'
import { instantOf, wallClock } from '../../wall-clock.ts'
import { listOffers, type Offer } from '../plans/offers.ts'
import { findAccount } from '../stripe/account.ts'
import { goingPage } from '../stripe/going.page.tsx'
import { proofPage } from '../stripe/proof.page.tsx'
import { giftLengths } from './contract.ts'
import { type GiveProblem, giveAddress, givePage, giveProblems, orderedPage } from './give.page.tsx'
import { giftPrice, type Ordering, orderGift } from './orders.ts'

const MAX_FORM_BYTES = 16 * 1024
const PRICE = /^[1-9]\d{0,8}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** By the clock of the newsletter. */
const MAILED_AT_HOUR = 9
const DAY_MS = 86_400_000
/** A mail of ours is no way to lead people elsewhere. */
const LINK = /https?:|www\.|\/\//i
const kept = ['price', 'email', 'recipient', 'name', 'day', 'message'] as const

interface Given {
  newsletter: NewsletterRow
  language: Language
  offer: Offer
  price: NonNullable<ReturnType<typeof giftPrice>>
  test: boolean
}

/**
 * `/plans/{newsletterId}/give`: from a form of ours to Stripe's page, for a plan whose owner lets it be given. Its fields: `price` (the id), `email` of who
 * pays, and of whom it is for `recipient`, `name`, `day` (YYYY-MM-DD) and `message`, all of which may be left out. No mail goes out before it is paid.
 */
export function giveRoutes(context: WithRelays, newsletters: PublicNewsletters): Route[] {
  const { config, db, now } = context
  const { limits } = new SubscriptionRequests(context)
  const proofs = new ProofsOfWork(context.signer)

  const find = async (request: FastifyRequest, priceId: string | undefined): Promise<Given | null> => {
    const newsletter = await newsletters.find(textFields(request.params).newsletterId ?? '')
    const account = newsletter && (await findAccount(db, newsletter.id))
    if (!newsletter || !account || !PRICE.test(priceId ?? '')) return null
    for (const offer of await listOffers(db, newsletter.id, now())) {
      const { currency = null } = offer.prices.find(({ id }) => id === Number(priceId)) ?? {}
      const price = giftPrice(offer, currency)
      if (price?.id === Number(priceId) && !offer.full)
        return { newsletter, language: pageLanguage(request, newsletter.language), offer, price, test: account.test }
    }
    return null
  }

  const days = ({ timezone }: NewsletterRow) => {
    const today = wallClock(now(), timezone)
    const dayAt = (wall: number) => new Date(wall).toISOString().slice(0, 10)
    return { first: dayAt(today), last: dayAt(today + 365 * DAY_MS) }
  }

  const form = (given: Given, fields: Record<string, string>, problem?: GiveProblem) =>
    givePage({ ...given, fields, days: days(given.newsletter), ...(problem && { problem }) })

  const gone = (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply, closedPage(request.language), { status: 404 })

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const given = await find(request, textFields(request.query).price)
    return given ? sendPage(reply, form(given, {}), { cacheControl: 'no-store' }) : gone(request, reply)
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const fields = textFields(request.body)
    const given = await find(request, fields.price)
    if (!given) return gone(request, reply)
    const { newsletter, language } = given
    const done = `${config.publicUrl}${giveAddress(newsletter)}/done?lang=${language}`
    if (fields[HONEYPOT]) return reply.redirect(done, 303)
    const read = readForm(given, fields)
    if (typeof read === 'string')
      return sendPage(reply, form(given, fields, read), { status: 422, cacheControl: 'no-store' })
    const proof = await proofs.read(fields.proof ?? '', newsletter.id)
    const normalised = readAddress(read.buyer)?.normalised ?? ''
    const network = networkOf(request.ip)
    const { admitted } = await limits.ofForm({ newsletterId: newsletter.id, network, normalised, proof })
    if (!admitted && canComputeKeys(config)) {
      const again = proofPage(newsletter, language, { fields, action: giveAddress(newsletter), kept })
      return sendPage(reply, again, { status: 422, cacheControl: 'no-store' })
    }
    const back = `${config.publicUrl}${giveAddress(newsletter)}?${new URLSearchParams({ lang: language, price: String(given.price.id) })}`
    const { url, test } = await orderGift(context, { ...read, done, back })
    // A page of ours may send its forms to us alone, redirects included, so the browser goes on by itself.
    reply.header('refresh', `0; url=${url}`).header('referrer-policy', 'no-referrer')
    return sendPage(reply, goingPage(newsletter, language, { url, test }), { cacheControl: 'no-store' })
  }

  /** What was typed, or what is wrong with it. */
  function readForm(
    { newsletter, language, offer, price }: Given,
    fields: Record<string, string>,
  ): Omit<Ordering, 'done' | 'back'> | GiveProblem {
    const text = (name: string) => (fields[name] ?? '').replaceAll(/\r\n?/g, '\n').trim()
    const buyer = readAddress(text('email').slice(0, 500))
    const recipient = text('recipient') ? readAddress(text('recipient').slice(0, 500)) : undefined
    const at = readDay(text('day'), newsletter)
    const isWrong: Record<GiveProblem, boolean> = {
      email: !buyer,
      // Words and a day need somebody whom they reach.
      recipient: recipient === null || (!recipient && (text('message') !== '' || text('day') !== '')),
      name: !isPlain(text('name'), giftLengths.name) || text('name').includes('\n'),
      message: !isPlain(text('message'), giftLengths.message),
      day: at === null,
    }
    const problem = giveProblems.find((one) => isWrong[one])
    if (problem) return problem
    if (!buyer || !at) throw new AppError('invalid')
    return {
      ...{ newsletterId: newsletter.id, planId: offer.id, priceId: price.id, months: price.months, language },
      buyer: buyer.typed,
      recipient: recipient ? { email: recipient.typed, name: text('name'), at } : null,
      message: text('message'),
    }
  }

  /** Today: at once. Null for a day that has passed, is more than a year away, or is none. */
  function readDay(typed: string, newsletter: NewsletterRow): Date | null {
    const { first, last } = days(newsletter)
    if (typed === '' || typed === first) return now()
    const wall = DAY.test(typed) ? Date.parse(`${typed}T00:00:00Z`) : Number.NaN
    if (Number.isNaN(wall) || typed < first || typed > last) return null
    return instantOf(wall + MAILED_AT_HOUR * 3_600_000, newsletter.timezone)
  }

  const done = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(textFields(request.params).newsletterId ?? '')
    if (!newsletter) return gone(request, reply)
    const language = pageLanguage(request, newsletter.language)
    return sendPage(reply, orderedPage({ newsletter, language }), { cacheControl: 'no-store' })
  }

  return [
    page('GET /plans/:newsletterId/give', show),
    page('POST /plans/:newsletterId/give', submit, { bodyLimit: MAX_FORM_BYTES }),
    page('GET /plans/:newsletterId/give/done', done),
  ]
}

/** Short enough, without links and without what no keyboard types. */
const isPlain = (text: string, most: number): boolean =>
  text.length <= most && !LINK.test(text) && !/[^\P{C}\n]/u.test(text)
