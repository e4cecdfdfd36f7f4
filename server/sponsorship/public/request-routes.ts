import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { uuidv7 } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { line, lines } from '../../http/endpoint.ts'
import { networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import { enqueue } from '../../jobs/queue.ts'
import { noticePage } from '../../newsletters/branded-page.tsx'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenLanguage, inLanguage, pageLanguage } from '../../page/language.ts'
import type { RenderedPage } from '../../page/render.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { readAddress } from '../../subscribers/address.ts'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { canComputeKeys, ProofsOfWork } from '../../subscribers/proof-of-work.ts'
import { findSuppression } from '../../subscribers/queries.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { SubscribeLimits } from '../../subscribers/subscribe-limits.ts'
import { translator } from '../../translator.ts'
import { creativeLimits } from '../bookings/contract.ts'
import type { BookingChanges } from '../tell.ts'
import { auditedFigures } from './figures.ts'
import { requestLinks, type SponsorRequest } from './links.ts'
import { offeredSlots } from './offered.ts'
import { confirmRequest } from './request.ts'
import { type RequestProblem, sponsorAddress, sponsorPage } from './sponsor.page.tsx'
import { placementNameIn, writtenDay } from './words.ts'

const MAX_FORM_BYTES = 16 * 1024
const Typed = z.object({
  sponsor: line(creativeLimits.name),
  contact: line(80).or(z.literal('')),
  message: lines(1_000).or(z.literal('')),
})

/** A newsletter that takes requests, or the page that says why there is none. */
type Found = { newsletter: NewsletterRow; closed: null } | { newsletter: null; closed: RenderedPage }

/**
 * `/sponsor/{newsletterId}`: what can be booked, and a request for it. The request is mailed to its own address and becomes a booking when it is
 * confirmed there, so nobody bothers the newsletter, or holds a slot, in somebody else's name.
 */
export function requestRoutes(context: WithRelays, newsletters: PublicNewsletters, changes: BookingChanges): Route[] {
  const { db, config, now } = context
  const limits = new SubscribeLimits(context)
  const proofs = new ProofsOfWork(context.signer)
  const permissions = new MailPermissions(context)
  const links = requestLinks(context.sealer)
  const canProve = canComputeKeys(config)

  const findOpen = async (request: FastifyRequest): Promise<Found> => {
    const newsletter = await newsletters.find(textFields(request.params).newsletterId ?? '')
    if (!newsletter) return { newsletter, closed: closedPage(request.language) }
    if (newsletter.sponsor_page !== 'closed') return { newsletter, closed: null }
    const language = pageLanguage(request, newsletter.language)
    const t = translator(language)
    const text = t('sponsors.closed.text', { newsletter: newsletter.name })
    const notice = { title: t('sponsors.closed.title'), text, hrefIn: inLanguage }
    return { newsletter: null, closed: noticePage(newsletter, language, notice) }
  }

  const draw = async (
    request: FastifyRequest,
    newsletter: NewsletterRow,
    { problems = [], typed }: { problems?: readonly RequestProblem[]; typed?: Record<string, string> } = {},
  ) =>
    sponsorPage({
      ...{ publicUrl: config.publicUrl, newsletter, chosen: chosenLanguage(request) },
      language: pageLanguage(request, newsletter.language),
      figures: await auditedFigures(db, newsletter.id, now()),
      offered: await offeredSlots(context, newsletter, {
        chosen: typed?.currency ?? textFields(request.query).currency,
        accepts: request.headers['accept-language'],
      }),
      now: now(),
      pressed: canProve && (limits.isPressed(newsletter.id) || problems.includes('proof')),
      problems,
      ...(typed && { typed }),
    })

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { newsletter, closed } = await findOpen(request)
    if (!newsletter) return sendPage(reply, closed, { status: 404, cacheControl: 'no-store' })
    reply.header('vary', 'accept-language')
    return sendPage(reply, await draw(request, newsletter))
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const { newsletter, closed } = await findOpen(request)
    if (!newsletter) return sendPage(reply, closed, { status: 404, cacheControl: 'no-store' })
    const typed = textFields(request.body)
    const language = pageLanguage(request, newsletter.language)
    const refuse = async (problems: readonly RequestProblem[], status = 422) =>
      sendPage(reply, await draw(request, newsletter, { problems, typed }), { status, cacheControl: 'no-store' })
    const done = () => reply.redirect(`${sponsorAddress(newsletter)}/asked?lang=${language}`, 303)
    if (typed[HONEYPOT]) return done()
    const read = await readRequest(newsletter, typed, request)
    if ('problems' in read) return refuse(read.problems)
    try {
      const proof = await proofs.read(typed.proof ?? '', newsletter.id)
      const network = networkOf(request.ip)
      const normalised = readAddress(read.email)?.normalised ?? ''
      const { admitted } = await limits.ofForm({ newsletterId: newsletter.id, network, normalised, proof })
      if (!admitted && canProve) return refuse(['proof'])
      await permissions.require(newsletter.id)
      if (!(await findSuppression(db, newsletter.id, normalised))) await mailLink(newsletter, { ...read, language })
      return done()
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      reply.header('retry-after', error.params.seconds ?? 600)
      return refuse(['limit'], 429)
    }
  }

  type Read = Omit<SponsorRequest, 'language'>

  async function readRequest(
    newsletter: NewsletterRow,
    typed: Record<string, string>,
    request: FastifyRequest,
  ): Promise<Read | { problems: RequestProblem[] }> {
    const offered = await offeredSlots(context, newsletter, {
      chosen: typed.currency,
      accepts: request.headers['accept-language'],
    })
    const [wanted, day = ''] = (typed.slot ?? '').split(':')
    const placement = offered.placements.find(({ id }) => String(id) === wanted)
    const slot = offered.slots.find((one) => one.placementId === placement?.id && one.day === day)
    const { sponsor = '', contact = '', message = '', email = '' } = typed
    const said = Typed.safeParse({ sponsor, contact, message: message.replaceAll('\r\n', '\n') })
    const address = readAddress(email.slice(0, 500))
    const wrong = new Set(said.error?.issues.map(({ path }) => path[0]))
    const isLong = sponsor.trim().length > creativeLimits.name
    const found: Partial<Record<RequestProblem, boolean>> = {
      slot: !slot,
      taken: slot?.free === 0,
      long: isLong,
      sponsor: !isLong && (wrong.has('sponsor') || wrong.has('contact')),
      email: !address,
      message: wrong.has('message'),
    }
    const problems = (Object.keys(found) as RequestProblem[]).filter((one) => found[one])
    if (!placement || !offered.currency || !address || !said.success || problems.length > 0) return { problems }
    return {
      ...{ newsletterId: newsletter.id, bookingId: uuidv7(now().getTime()), placementId: placement.id, day },
      ...{ currency: offered.currency, amount: placement.amount, email: address.typed, ...said.data },
    }
  }

  async function mailLink(newsletter: NewsletterRow, request: SponsorRequest) {
    const { language, email, day, placementId } = request
    const t = translator(language)
    const { placements } = await offeredSlots(context, newsletter, { chosen: request.currency, accepts: undefined })
    const placement = placements.find(({ id }) => id === placementId)
    const values = {
      newsletter: newsletter.name,
      day: writtenDay(day, language),
      placement: placement ? placementNameIn(placement, language) : '',
    }
    const mail = renderLinkMail(config, {
      ...{ newsletter, language },
      address: `${config.publicUrl}/sponsor/confirm/${links.make(request, now())}`,
      words: (part) => t(`sponsors.confirm.mail.${part === 'title' ? 'subject' : part}`, values),
    })
    await enqueue(db, 'send_mail', { to: email, newsletterId: newsletter.id, ...mail })
  }

  const asked = async (request: FastifyRequest, reply: FastifyReply) => {
    const { newsletter, closed } = await findOpen(request)
    if (!newsletter) return sendPage(reply, closed, { status: 404, cacheControl: 'no-store' })
    const language = pageLanguage(request, newsletter.language)
    const t = translator(language)
    const caught = await context.relays.caughtHere(newsletter.id)
    const notice = { title: t('sponsors.asked.title'), text: t('sponsors.asked.text'), caught, hrefIn: inLanguage }
    return sendPage(reply, noticePage(newsletter, language, notice), { cacheControl: 'no-store' })
  }

  return [
    page('GET /sponsor/:newsletterId', show),
    page('POST /sponsor/:newsletterId', submit, { bodyLimit: MAX_FORM_BYTES }),
    page('GET /sponsor/:newsletterId/asked', asked),
    ...confirmRequest(context, { newsletters, changes, links }),
  ]
}
