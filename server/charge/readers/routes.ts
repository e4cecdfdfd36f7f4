import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTestRecipient } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { textFields } from '../../http/text-fields.ts'
import { enqueue } from '../../jobs/queue.ts'
import { defaultLanguage } from '../../languages.ts'
import { archiveAddress, publicationAddress } from '../../newsletters/branded-page.tsx'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { chosenOr, pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { readAddress as readMailAddress } from '../../subscribers/address.ts'
import type { AddressProblem } from '../../subscribers/address-form.tsx'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { testMailPage } from '../../subscribers/leave.page.tsx'
import { findSubscriber, type SubscriberRow } from '../../subscribers/queries.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { closedPage } from '../../subscribers/subscribe.page.tsx'
import { SubscribeLimits } from '../../subscribers/subscribe-limits.ts'
import { slugIn } from '../plans/origin.ts'
import { ReadLinks } from './links.ts'
import { findMailed, listReadable } from './queries.ts'
import { linkOverPage, linkSentPage, openPage, signedInPage, signInAddress, signInPage } from './readers.page.tsx'
import type { ReaderSessions } from './sessions.ts'

const MAX_FORM_BYTES = 16 * 1024
/** From one network in ten minutes: a household, and nobody who tries devices until one fits. */
const OPENINGS = 60

interface Found {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  /** Whether the link went to the subscriber's address alone, within the last hour. */
  proven: boolean
  /** Of the publication where reading goes on; null for the archive. */
  slug: string | null
  /** Whether what they would read was taken off the web. */
  isOff: boolean
}

/** Subscribers sign in to read. Opening an address changes nothing, for scanners of mail follow every link. */
export function readerRoutes(context: WithRelays, newsletters: PublicNewsletters, sessions: ReaderSessions): Route[] {
  const { db, now, relays } = context
  const links = new ReadLinks(context)
  const limits = new SubscribeLimits(context)
  const openings = new Limit(OPENINGS, 600)

  const findNewsletter = (request: FastifyRequest) => newsletters.find(textFields(request.params).newsletterId ?? '')

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await findNewsletter(request)
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const of = { newsletter, language: pageLanguage(request, newsletter.language) }
    const query = textFields(request.query)
    const reader = await sessions.find(request, newsletter.id)
    const subscriber = reader && (await findSubscriber(db, newsletter.id, reader.subscriberId))
    if (!subscriber) {
      const rendered =
        query.said === 'sent'
          ? linkSentPage({ ...of, to: slugIn(query), caught: await relays.caughtHere(newsletter.id) })
          : signInPage({ ...of, to: slugIn(query) })
      return sendPage(reply, rendered, { cacheControl: 'no-store' })
    }
    const [plans, devices] = await Promise.all([listReadable(db, reader, { ...of, at: now() }), sessions.list(reader)])
    const rendered = signedInPage({ ...of, subscriber, plans, devices, ended: query.said === 'ended' })
    return sendPage(reply, rendered, { cacheControl: 'no-store' })
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const newsletter = await findNewsletter(request)
    if (!newsletter) return sendPage(reply, closedPage(request.language), { status: 404 })
    const fields = textFields(request.body)
    return fields.act === 'end' ? endSession(newsletter, fields, reply) : askForLink(newsletter, fields, reply)
  }

  async function endSession(newsletter: NewsletterRow, { session = '' }: Record<string, string>, reply: FastifyReply) {
    const reader = await sessions.find(reply.request, newsletter.id)
    if (reader?.sessionId === session) await sessions.signOut(reply, newsletter.id)
    else if (reader) await sessions.end(reader, session)
    return reply.redirect(signInAddress(newsletter, { said: 'ended' }), 303)
  }

  async function askForLink(newsletter: NewsletterRow, fields: Record<string, string>, reply: FastifyReply) {
    const { request } = reply
    const { email = '', [HONEYPOT]: filled = '' } = fields
    const language = pageLanguage(request, newsletter.language)
    const to = slugIn(fields)
    const done = () => reply.redirect(signInAddress(newsletter, { to, lang: language, said: 'sent' }), 303)
    const refuse = (problem: AddressProblem, status: number) =>
      sendPage(reply, signInPage({ newsletter, language, to, email: email.slice(0, 254), problem }), {
        status,
        cacheControl: 'no-store',
      })
    if (filled !== '') return done()
    const address = readMailAddress(email)
    if (!address) return refuse('email', 422)
    const asked = { newsletterId: newsletter.id, to: to || null, typed: address.normalised }
    return (await mailLink(request, asked, address.normalised)) ? done() : tooMany(reply, () => refuse('limit', 429))
  }

  /** @returns false when there were too many requests */
  async function mailLink(
    request: FastifyRequest,
    asked: { newsletterId: string; to: string | null } & ({ typed: string } | { subscriberId: string }),
    normalised: string,
  ): Promise<boolean> {
    try {
      await limits.ofOwnPage({ network: networkOf(request.ip), normalised })
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_many_requests') return false
      throw error
    }
    await enqueue(db, 'mail_read_link', asked)
    return true
  }

  const tooMany = <T>(reply: FastifyReply, answer: () => T): T => {
    reply.header('retry-after', 600)
    return answer()
  }

  /** Whom a link belongs to, when it still opens something. */
  async function findLink(
    request: FastifyRequest,
  ): Promise<Found | { newsletter: NewsletterRow | null; test: boolean }> {
    const token = links.read(textFields(request.params).token ?? '')
    const newsletter = token && (await newsletters.find(token.newsletterId))
    if (!newsletter || newsletter.id !== token.newsletterId) return { newsletter: null, test: false }
    const nobody = { newsletter, test: isTestRecipient(token.subscriberId) }
    const subscriber = await findSubscriber(db, newsletter.id, token.subscriberId)
    if (!subscriber) return nobody
    const proven = links.proves(token, subscriber, now())
    if (token.publicationId === null && !proven) return nobody
    const mailed =
      token.publicationId && (await findMailed(db, { newsletterId: newsletter.id, id: token.publicationId }, now()))
    if (token.publicationId !== null && !mailed) return nobody
    const slug = (mailed ? mailed.slug : slugIn(textFields(request.query))) || null
    return { newsletter, subscriber, proven, slug, isOff: mailed ? mailed.isOff : false }
  }

  const languageFor = (request: FastifyRequest, { subscriber }: Found) => chosenOr(request, subscriber.language)

  /** To its publication, or to the archive, in the language in which they came. */
  const leadsTo = (request: FastifyRequest, found: Found) => {
    const { newsletter, slug } = found
    const language = languageFor(request, found)
    return slug ? publicationAddress(newsletter, slug, language) : archiveAddress(newsletter, { language })
  }

  const overPage = (
    request: FastifyRequest,
    { newsletter, test }: { newsletter: NewsletterRow | null; test: boolean },
  ) => {
    const language = pageLanguage(request, newsletter?.language ?? defaultLanguage)
    return newsletter && test
      ? testMailPage(newsletter, language)
      : linkOverPage({ newsletter, language, to: slugIn(textFields(request.query)) })
  }

  const showLink = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await findLink(request)
    if (!('subscriber' in found))
      return sendPage(reply, overPage(request, found), { status: 404, cacheControl: 'no-store' })
    const { newsletter, subscriber, isOff } = found
    const reader = await sessions.find(request, newsletter.id)
    if (isOff || reader?.subscriberId === subscriber.id) return reply.redirect(leadsTo(request, found), 303)
    const rendered = openPage({
      newsletter,
      language: languageFor(request, found),
      subscriber,
      to: slugIn(textFields(request.query)),
      full: false,
    })
    return sendPage(reply, rendered, { cacheControl: 'no-store' })
  }

  const openLink = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    await openings.take(networkOf(request.ip))
    const found = await findLink(request)
    if (!('subscriber' in found))
      return sendPage(reply, overPage(request, found), { status: 404, cacheControl: 'no-store' })
    const { newsletter, subscriber, proven, slug } = found
    const key = { newsletterId: newsletter.id, subscriberId: subscriber.id }
    const language = languageFor(request, found)
    if (textFields(request.body).act === 'mail') {
      if (!(await mailLink(request, { ...key, to: slug }, subscriber.email_normalised)))
        return tooMany(reply, () =>
          sendPage(reply, signInPage({ newsletter, language, to: slug ?? '', problem: 'limit' }), {
            status: 429,
            cacheControl: 'no-store',
          }),
        )
      return reply.redirect(signInAddress(newsletter, { to: slug, lang: language, said: 'sent' }), 303)
    }
    if (await sessions.open(reply, key, { proven })) return reply.redirect(leadsTo(request, found), 303)
    return sendPage(reply, openPage({ newsletter, language, subscriber, to: slug ?? '', full: true }), {
      status: 409,
      cacheControl: 'no-store',
    })
  }

  return [
    page('GET /signin/:newsletterId', show),
    page('POST /signin/:newsletterId', submit, { bodyLimit: MAX_FORM_BYTES }),
    page('GET /read/:token', showLink),
    page('POST /read/:token', openLink, { bodyLimit: MAX_FORM_BYTES }),
  ]
}
