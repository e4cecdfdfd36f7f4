import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Language } from '../../languages.ts'
import { nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { type Address, readAddress } from '../../subscribers/address.ts'
import { receiptOf } from '../../subscribers/consent.ts'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { canComputeKeys, ProofsOfWork } from '../../subscribers/proof-of-work.ts'
import { findByAddress, findSubscriber } from '../../subscribers/queries.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { SubscriptionRequests } from '../../subscribers/subscribe.ts'
import { translator } from '../../translator.ts'
import { slugIn, sourceIn } from '../plans/origin.ts'
import { signInAddress } from '../readers/readers.page.tsx'
import type { ReaderSessions } from '../readers/sessions.ts'
import { checkoutConsent } from './buy-form.tsx'
import { startCheckout } from './checkout.ts'
import { goingPage } from './going.page.tsx'
import { proofPage } from './proof.page.tsx'

const MAX_FORM_BYTES = 16 * 1024
const PRICE = /^[1-9]\d{0,8}$/
const kept = ['price', 'amount', 'coupon', 'email', 'consent', 'publication', 'source'] as const
const problems = ['amount', 'email', 'consent'] as const
const PUBLICATION = /^[\w-]{1,20}$/

/** The way back to the page of plans, with where the buyer came from and their coupon. */
function plansAddress(newsletter: NewsletterRow, language: Language, fields: Record<string, string>): string {
  const kept = { to: fields.to?.slice(0, 200), source: sourceIn(fields.source), coupon: fields.coupon?.slice(0, 60) }
  const query = Object.entries(kept).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return `/plans/${nameInAddress(newsletter)}?${new URLSearchParams([['lang', language], ...query])}`
}

interface Buyer {
  subscriberId: string | null
  email: string
}

/**
 * `POST /checkout/{newsletterId}`: from a form of ours to Stripe's page. Its fields: `price` (the id), `amount` as the buyer typed it,
 * `coupon` (its code), `email` and `consent` of who is not signed in, `publication` and `source` to which the sale is due, and `to` (the
 * slug of what was read) for the way back. The answer is the same for every address.
 */
export function checkoutRoutes(context: WithRelays, newsletters: PublicNewsletters, sessions: ReaderSessions): Route[] {
  const { config, db, now } = context
  const requests = new SubscriptionRequests(context)
  const proofs = new ProofsOfWork(context.signer)
  const mailPermissions = new MailPermissions(context)

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(textFields(request.params).newsletterId ?? '')
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const fields = textFields(request.body)
    const language = pageLanguage(request, newsletter.language)
    const to = slugIn(fields)
    const back = new URLSearchParams({ lang: language, ...(to && { to }) })
    const at = `${config.publicUrl}/checkout/${nameInAddress(newsletter)}/done?${back}`
    if (fields[HONEYPOT]) return reply.redirect(at, 303)
    const buyer = await buyerOf(request, newsletter, { fields, language })
    if (buyer === 'proof')
      return sendPage(
        reply,
        proofPage(newsletter, language, { fields, action: `/checkout/${nameInAddress(newsletter)}`, kept }),
        { status: 422, cacheControl: 'no-store' },
      )
    const { url, test } = await startCheckout(context, {
      newsletterId: newsletter.id,
      priceId: PRICE.test(fields.price ?? '') ? Number(fields.price) : 0,
      sum: fields.amount?.slice(0, 30) || null,
      coupon: fields.coupon?.slice(0, 60) || null,
      ...buyer,
      // A session may have been opened with a mail that was passed on.
      proven: false,
      language,
      publicationId: PUBLICATION.test(fields.publication ?? '') ? (fields.publication ?? null) : null,
      source: sourceIn(fields.source) || null,
      done: at,
      back: `${config.publicUrl}${plansAddress(newsletter, language, fields)}`,
    })
    // A page of ours may send its forms to us alone, redirects included, so the browser goes on by itself.
    reply.header('refresh', `0; url=${url}`).header('referrer-policy', 'no-referrer')
    return sendPage(reply, goingPage(newsletter, language, { url, test }), { cacheControl: 'no-store' })
  }

  /** Says on a page what is wrong with a form, with the way back to it. */
  const submitOrSay = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await submit(request, reply)
    } catch (error) {
      const wrong = error instanceof AppError && error.code === 'invalid' ? (error.fields ?? {}) : {}
      const problem = problems.find((one) => one in wrong)
      const newsletter = problem && (await newsletters.find(textFields(request.params).newsletterId ?? ''))
      if (!newsletter) throw error
      const language = pageLanguage(request, newsletter.language)
      const t = translator(language)
      const notice = {
        title: t('stripe.page.problem.title'),
        text: t(`stripe.page.problem.${problem}`),
        action: {
          label: t('stripe.page.problem.back'),
          href: plansAddress(newsletter, language, textFields(request.body)),
        },
      }
      return sendPage(reply, noticePage(newsletter, language, notice), { status: 422, cacheControl: 'no-store' })
    }
  }

  interface Sent {
    fields: Record<string, string>
    language: Language
  }

  async function buyerOf(
    request: FastifyRequest,
    newsletter: NewsletterRow,
    { fields, language }: Sent,
  ): Promise<Buyer | 'proof'> {
    const reader = await sessions.find(request, newsletter.id)
    const known = reader && (await findSubscriber(db, newsletter.id, reader.subscriberId))
    const address = known ? readAddress(known.email) : readAddress((fields.email ?? '').slice(0, 500))
    if (!address) throw new AppError('invalid', { fields: { email: 'not_an_email' } })
    const network = networkOf(request.ip)
    const { normalised } = address
    const proof = await proofs.read(fields.proof ?? '', newsletter.id)
    const { admitted } = await requests.limits.ofForm({ newsletterId: newsletter.id, network, normalised, proof })
    if (known) return { subscriberId: known.id, email: known.email }
    if (!admitted && canComputeKeys(config)) return 'proof'
    if (fields.consent !== 'yes') throw new AppError('invalid', { fields: { consent: 'required' } })
    return stranger(newsletter, address, { language, network })
  }

  /** Who buys asks to be sent what they buy: the same request as on the page to subscribe, with the words that the form shows. */
  async function stranger(
    newsletter: NewsletterRow,
    { typed, normalised }: Address,
    { language, network }: { language: Language; network: string },
  ): Promise<Buyer> {
    await mailPermissions.require(newsletter.id)
    const words = checkoutConsent(newsletter, translator(language))
    await requests.add({
      newsletterId: newsletter.id,
      email: typed,
      normalised,
      name: null,
      language,
      at: now(),
      receipt: receiptOf('yes', { newsletter, language, means: 'page', network, words }),
      confirms: true,
    })
    const subscriber = await findByAddress(db, newsletter.id, normalised)
    return { subscriberId: subscriber?.id ?? null, email: typed }
  }

  const done = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await newsletters.find(textFields(request.params).newsletterId ?? '')
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const t = translator(language)
    const to = slugIn(textFields(request.query))
    const notice = {
      title: t('stripe.page.done'),
      text: t(newsletter.card_test ? 'stripe.page.doneTest' : 'stripe.page.doneText', { newsletter: newsletter.name }),
      band: newsletter.card_test ? t('readers.testBand') : null,
      action: {
        label: t('stripe.page.read'),
        href: signInAddress(newsletter, { to, lang: language }),
      },
      hrefIn: (one: Language) => `?${new URLSearchParams({ lang: one, ...(to && { to }) })}`,
    }
    return sendPage(reply, noticePage(newsletter, language, notice), { cacheControl: 'no-store' })
  }

  return [
    page('POST /checkout/:newsletterId', submitOrSay, { bodyLimit: MAX_FORM_BYTES }),
    page('GET /checkout/:newsletterId/done', done),
  ]
}
