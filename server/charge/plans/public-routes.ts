import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import type { Language } from '../../languages.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenLanguage, pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import { findSubscriber } from '../../subscribers/queries.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { listReadable } from '../readers/queries.ts'
import type { ReaderSessions } from '../readers/sessions.ts'
import { findAccount } from '../stripe/account.ts'
import { findCoupon } from './coupons.ts'
import { listOffers, offeredPeriods, periods, visitorsCurrency } from './offers.ts'
import { originOf } from './origin.ts'
import { plansPage } from './plans.page.tsx'

interface In {
  language: Language
  newsletter: NewsletterRow
}

/** What everybody can see of the plans. */
export function publicPlanRoutes(
  { config, db, now }: Context,
  newsletters: PublicNewsletters,
  sessions: ReaderSessions,
): Route[] {
  /** What a visitor typed, with the coupon that has this code. Whether it fits is for each price to say. */
  const couponOf = async (newsletterId: string, typed = '') => {
    const code = typed.trim().slice(0, 40)
    return code ? { code, row: await findCoupon(db, newsletterId, code), now: now() } : null
  }
  const readerOf = async (request: FastifyRequest, { language, newsletter }: In) => {
    const session = await sessions.find(request, newsletter.id)
    if (!session) return null
    const subscriber = await findSubscriber(db, newsletter.id, session.subscriberId)
    const readable = await listReadable(db, session, { language, newsletter, at: now() })
    return { isSubscribed: subscriber?.status === 'active', readable }
  }
  return [
    page('GET /plans/:newsletterId', async (request: FastifyRequest, reply: FastifyReply) => {
      const newsletter = await newsletters.find(textFields(request.params).newsletterId ?? '')
      if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
      const query = textFields(request.query)
      const offers = await listOffers(db, newsletter.id, now())
      const accepts = request.headers['accept-language']
      const currency = visitorsCurrency(offers, { chosen: query.currency, accepts, usual: newsletter.currency })
      const offered = offeredPeriods(offers, currency)
      const period = periods.find((one) => one === query.per && offered.includes(one)) ?? offered[0] ?? 'year'
      const { publicUrl } = config
      const origin = await originOf(db, newsletter.id, { query, referrer: request.headers.referer, publicUrl })
      const language = pageLanguage(request, newsletter.language)
      const account = await findAccount(db, newsletter.id)
      const card = account ? { test: account.test } : null
      const coupon = await couponOf(newsletter.id, query.coupon)
      const reader = await readerOf(request, { language, newsletter })
      reply.header('vary', 'accept-language, referer')
      return sendPage(
        reply,
        plansPage({
          ...{ publicUrl, newsletter, language, chosen: chosenLanguage(request), offers, card },
          choice: { currency, period, origin, coupon },
          reader,
        }),
        reader ? { cacheControl: 'private, no-cache' } : {},
      )
    }),
  ]
}
