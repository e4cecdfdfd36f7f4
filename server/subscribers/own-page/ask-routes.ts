import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import { textFields } from '../../http/text-fields.ts'
import { enqueue } from '../../jobs/queue.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { readAddress } from '../address.ts'
import type { AddressProblem } from '../address-form.tsx'
import { HONEYPOT } from '../honeypot.tsx'
import { closedPage } from '../subscribe.page.tsx'
import type { SubscribeLimits } from '../subscribe-limits.ts'
import { askPage, sentPage } from './ask.page.tsx'

const MAX_FORM_BYTES = 16 * 1024

/** Where somebody without a mail at hand asks for the link to their own page. The answer is the same for every address. */
export function askOwnPageRoutes(
  { db, relays }: WithRelays,
  limits: SubscribeLimits,
  newsletters: PublicNewsletters,
): Route[] {
  const find = (request: FastifyRequest) => newsletters.find(textFields(request.params).newsletterId ?? '')

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await find(request)
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    if (textFields(request.query).said !== 'sent') return sendPage(reply, askPage({ newsletter, language }))
    return sendPage(reply, sentPage(newsletter, language, { caught: await relays.caughtHere(newsletter.id) }))
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await find(request)
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const language = pageLanguage(request, newsletter.language)
    const { email = '', [HONEYPOT]: filled = '' } = textFields(request.body)
    const done = () => reply.redirect(`/subscribe/${nameInAddress(newsletter)}/me?lang=${language}&said=sent`, 303)
    const refuse = (problem: AddressProblem, status: number) =>
      sendPage(reply, askPage({ newsletter, language, email: email.slice(0, 254), problem }), {
        status,
        cacheControl: 'no-store',
      })
    if (filled !== '') return done()
    const address = readAddress(email)
    if (!address) return refuse('email', 422)
    try {
      await limits.ofOwnPage({ network: networkOf(request.ip), normalised: address.normalised })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      reply.header('retry-after', error.params.seconds ?? 60)
      return refuse('limit', 429)
    }
    await enqueue(db, 'mail_own_page', { newsletterId: newsletter.id, typed: address.normalised })
    return done()
  }

  return [
    page('GET /subscribe/:newsletterId/me', show),
    page('POST /subscribe/:newsletterId/me', submit, { bodyLimit: MAX_FORM_BYTES }),
  ]
}
