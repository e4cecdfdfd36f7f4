import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isUuid } from '../database/ids.ts'
import { networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { findPublicNewsletter } from '../newsletters/public-newsletter.ts'
import { pageLanguage } from '../page/language.ts'
import { sendPage } from '../page/send.ts'
import { consentWording, WORDING_VERSION } from './consent.ts'
import { gonePage, leavePage, leftPage, type Notice } from './leave.page.tsx'
import { type Act, chooseLanguage, comeBack, keepReason, leave, leaveReasons, mayReturn } from './leave.ts'
import { findSubscriber, type SubscriberRow } from './queries.ts'

interface Found {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
}

/** The unsubscribe page. Its address works for ever, needs no signing in, and one press is enough. */
export function leaveRoutes({ db, now }: Context): Route[] {
  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const { newsletterId, subscriberId } = request.params as { newsletterId: string; subscriberId: string }
    const newsletter = isUuid(subscriberId) ? await findPublicNewsletter(db, newsletterId) : null
    const subscriber = newsletter && (await findSubscriber(db, newsletter.id, subscriberId))
    return subscriber && { newsletter, subscriber, language: pageLanguage(request, subscriber.language) }
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find(request)
    return sendPage(request, secretly(reply), pageFor(found, request, now()), { cacheControl: 'no-store' })
  }

  const press = async (request: FastifyRequest, reply: FastifyReply) => {
    secretly(reply)
    const found = await find(request)
    const fields = fieldsOf(request.body)
    if (fields['List-Unsubscribe'] === 'One-Click') {
      if (found) await leave(db, found.newsletter.id, found.subscriber.id, act('one-click'), publicationOf(request))
      return reply.type('text/plain; charset=utf-8').send('OK')
    }
    const notice = found ? await perform(found, fields) : null
    return reply.redirect(`${request.url.split('?')[0]}${queryOf(request, notice)}`, 303)

    function act(means: Act['means'], what: 'leave' | 'return' = 'leave'): Act {
      const { newsletter, language } = found as Found
      const wording = consentWording(what, newsletter.name, language)
      return { means, wording, wordingVersion: WORDING_VERSION, language, network: networkOf(request.ip), at: now() }
    }

    async function perform({ newsletter, subscriber }: Found, asked: Record<string, unknown>): Promise<Notice> {
      const reason = leaveReasons.find((known) => known === asked.reason)
      if (asked.act === 'return') await comeBack(db, newsletter.id, subscriber.id, act('page', 'return'))
      else if (asked.act === 'language') await chooseLanguage(db, newsletter.id, subscriber.id, languageOf(asked))
      else if (asked.act !== 'reason')
        await leave(db, newsletter.id, subscriber.id, act('page'), publicationOf(request))
      else if (reason) await keepReason(db, newsletter.id, subscriber.id, reason)
      return noticeAfter(asked.act, reason !== undefined)
    }
  }

  return [
    page('GET', '/unsub/:newsletterId/:subscriberId', show),
    page('POST', '/unsub/:newsletterId/:subscriberId', press, { bodyLimit: 16 * 1024 }),
  ]
}

function pageFor(found: Found | null, request: FastifyRequest, now: Date) {
  if (!found) return gonePage(pageLanguage(request, 'en'))
  const { status } = found.subscriber
  const said = (request.query as { said?: unknown }).said
  const notice = notices.find((known) => known === said) ?? null
  if (status === 'pending' || status === 'active') return leavePage({ ...found, notice })
  return leftPage({ ...found, notice, mayReturn: mayReturn(found.subscriber, now) })
}

const notices = ['thanks', 'back', 'language'] as const

function noticeAfter(act: unknown, hasReason: boolean): Notice {
  if (act === 'return') return 'back'
  if (act === 'language') return 'language'
  return act === 'reason' && hasReason ? 'thanks' : null
}

/** The next page in the language that was chosen at the foot of this one. */
function queryOf(request: FastifyRequest, notice: Notice): string {
  const { lang, p } = request.query as { lang?: unknown; p?: unknown }
  const query = new URLSearchParams()
  if (lang === 'en' || lang === 'fr') query.set('lang', lang)
  if (typeof p === 'string') query.set('p', p)
  if (notice) query.set('said', notice)
  return query.size > 0 ? `?${query}` : ''
}

function publicationOf(request: FastifyRequest): string | null {
  const { p } = request.query as { p?: unknown }
  return typeof p === 'string' && /^\w{1,40}$/.test(p) ? p : null
}

const languageOf = (fields: Record<string, unknown>): Language => (fields.language === 'fr' ? 'fr' : 'en')

const fieldsOf = (body: unknown) => (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>

const secretly = (reply: FastifyReply) =>
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex').header('cache-control', 'no-store')
