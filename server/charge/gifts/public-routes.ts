import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import { enqueue } from '../../jobs/queue.ts'
import { defaultLanguage, type Language } from '../../languages.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenOr, pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { type Address, readAddress } from '../../subscribers/address.ts'
import { receiptOf } from '../../subscribers/consent.ts'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { findByAddress, type SubscriberRow } from '../../subscribers/queries.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { SubscriptionRequests } from '../../subscribers/subscribe.ts'
import { translator } from '../../translator.ts'
import type { ReaderSessions } from '../readers/sessions.ts'
import { findAccount } from '../stripe/account.ts'
import { checkoutConsent } from '../stripe/buy-form.tsx'
import { readCode } from './code.ts'
import {
  codePage,
  type GiftProblem,
  giftAddress,
  giftMailedPage,
  notTakenPage,
  takenPage,
  takePage,
} from './gift.page.tsx'
import { FRESH_MS, giftLinks } from './links.ts'
import { findGift, type Given, redeem } from './redeem.ts'

const MAX_FORM_BYTES = 16 * 1024
/** From one network in ten minutes. */
const TRIES = 60

interface Found {
  newsletter: NewsletterRow
  gift: Given
  address: Address
  language: Language
  /** Whether the mail went out within the last hour. */
  fresh: boolean
  /** Null while nobody here has the address. */
  subscriber: SubscriberRow | null
}

/**
 * Taking a gift: somebody types its code and an address, and takes it with the link that is mailed there. Opening a link changes nothing, and
 * nobody learns whether an address is known.
 */
export function publicGiftRoutes(
  context: WithRelays,
  newsletters: PublicNewsletters,
  sessions: ReaderSessions,
): Route[] {
  const { db, now, relays } = context
  const links = giftLinks(context.sealer)
  const requests = new SubscriptionRequests(context)
  const mailPermissions = new MailPermissions(context)
  const tries = new Limit(TRIES, 600)
  const takings = new Limit(TRIES, 600)

  const findNewsletter = (request: FastifyRequest) => newsletters.find(textFields(request.params).newsletterId ?? '')

  const showForm = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await findNewsletter(request)
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const of = { newsletter, language: pageLanguage(request, newsletter.language) }
    const { said, code = '' } = textFields(request.query)
    // The address may have a code in it.
    keepAddressSecret(reply)
    const shown =
      said === 'sent'
        ? giftMailedPage({ ...of, caught: await relays.caughtHere(newsletter.id) })
        : codePage({ ...of, code: code.slice(0, 40) })
    return sendPage(reply, shown, { cacheControl: 'no-store' })
  }

  const submitForm = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await findNewsletter(request)
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const { email = '', code = '', [HONEYPOT]: filled = '' } = textFields(request.body)
    const done = () => reply.redirect(`${giftAddress(newsletter)}?lang=${language}&said=sent`, 303)
    const refuse = async (problem: GiftProblem, status: number) => {
      const takesDiscounts = (await findAccount(db, newsletter.id)) !== null
      const typed = { code: code.slice(0, 40), email: email.slice(0, 254) }
      const rendered = codePage({ newsletter, language, ...typed, problem, takesDiscounts })
      return sendPage(reply, rendered, { status, cacheControl: 'no-store' })
    }
    if (filled !== '') return done()
    const address = readAddress(email)
    if (!address) return refuse('email', 422)
    try {
      const network = networkOf(request.ip)
      // Before the code is looked for, so that nobody tries many.
      await tries.take(network)
      const read = readCode(code)
      const gift = read === null ? null : await findGift(db, { newsletterId: newsletter.id, code: read }, now())
      if (!gift?.open) return refuse('code', 422)
      await mailPermissions.require(newsletter.id)
      await requests.limits.ofOwnPage({ network, normalised: address.normalised })
      await enqueue(db, 'mail_gift', { newsletterId: newsletter.id, giftId: gift.id, email: address.typed, language })
      return done()
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      reply.header('retry-after', error.params.seconds ?? 600)
      return refuse('limit', 429)
    }
  }

  /** What a link gives to whom; why nothing when it gives nothing. */
  async function findLink(request: FastifyRequest): Promise<Found | { newsletter: NewsletterRow | null }> {
    const link = links.read(textFields(request.params).token ?? '', now())
    const newsletter = link && (await newsletters.find(link.newsletterId))
    if (!link || newsletter?.id !== link.newsletterId) return { newsletter: null }
    const gift = await findGift(db, { newsletterId: newsletter.id, giftId: link.giftId }, now())
    const address = readAddress(link.email)
    if (!gift || !address) return { newsletter }
    const subscriber = await findByAddress(db, newsletter.id, address.normalised)
    const language = chosenOr(request, link.language)
    return {
      newsletter,
      gift,
      address,
      language,
      fresh: now().getTime() - link.madeAt.getTime() <= FRESH_MS,
      subscriber: subscriber ?? null,
    }
  }

  const refuse = (
    reply: FastifyReply,
    why: Parameters<typeof notTakenPage>[0],
    { newsletter, language }: { newsletter: NewsletterRow | null; language?: Language },
  ) =>
    sendPage(
      reply,
      notTakenPage(why, {
        newsletter,
        language: language ?? pageLanguage(reply.request, newsletter?.language ?? defaultLanguage),
      }),
      { status: why === 'link' ? 404 : why === 'over' ? 410 : 409, cacheControl: 'no-store' },
    )

  const consentOf = ({ subscriber }: Found) => (subscriber?.status === 'active' ? 'given' : 'asked')

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await findLink(request)
    if (!('gift' in found)) return refuse(reply, 'link', found)
    const { gift, address, subscriber } = found
    if (gift.taken && subscriber && gift.taken.subscriberId === subscriber.id)
      return sendPage(
        reply,
        takenPage({
          ...found,
          until: gift.taken.until,
          isAsked: textFields(request.query).said === 'asked' && subscriber.status !== 'active',
        }),
        { cacheControl: 'no-store' },
      )
    if (!gift.open) return refuse(reply, 'over', found)
    return sendPage(reply, takePage({ ...found, email: address.typed, consent: consentOf(found) }), {
      cacheControl: 'no-store',
    })
  }

  const take = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    await takings.take(networkOf(request.ip))
    const found = await findLink(request)
    if (!('gift' in found)) return refuse(reply, 'link', found)
    const { newsletter, gift, address } = found
    // The page says what has become of it.
    if (!gift.open) return reply.redirect(request.url, 303)
    if (consentOf(found) === 'asked' && textFields(request.body).consent !== 'yes')
      return sendPage(reply, takePage({ ...found, email: address.typed, consent: 'missing' }), {
        status: 422,
        cacheControl: 'no-store',
      })
    const subscriber = consentOf(found) === 'given' ? found.subscriber : await subscribe(request, found)
    if (!subscriber) return refuse(reply, 'address', found)
    const became = await redeem(context, newsletter, { giftId: gift.id, subscriberId: subscriber.id })
    if (became === 'has') return refuse(reply, 'has', found)
    const key = { newsletterId: newsletter.id, subscriberId: subscriber.id }
    if (became === 'given') await sessions.open(reply, key, { proven: found.fresh })
    if (subscriber.status === 'active') return reply.redirect(request.url, 303)
    return reply.redirect(`${request.url}${request.url.includes('?') ? '&' : '?'}said=asked`, 303)
  }

  /** Whoever has the link holds the mailbox, so their yes needs no second mail. Null when nobody may write to them. */
  async function subscribe(
    request: FastifyRequest,
    { newsletter, address, language, gift }: Found,
  ): Promise<SubscriberRow | null> {
    await requests.add({
      newsletterId: newsletter.id,
      email: address.typed,
      normalised: address.normalised,
      name: null,
      language,
      at: now(),
      receipt: receiptOf('yes', {
        ...{ newsletter, language, means: 'confirmation', network: networkOf(request.ip) },
        words: checkoutConsent(newsletter, translator(language)),
        proof: `encrypted link of the mail for the gift ${gift.id}`,
      }),
      source: 'gift',
      confirms: false,
    })
    return (await findByAddress(db, newsletter.id, address.normalised)) ?? null
  }

  return [
    page('GET /plans/:newsletterId/gift', showForm),
    page('POST /plans/:newsletterId/gift', submitForm, { bodyLimit: MAX_FORM_BYTES }),
    page('GET /gift/:token', show),
    page('POST /gift/:token', take, { bodyLimit: MAX_FORM_BYTES }),
  ]
}
