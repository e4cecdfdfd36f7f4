import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isUuid } from '../database/ids.ts'
import { networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { defaultLanguage, isLanguage, type Language } from '../languages.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { pageLanguage } from '../page/language.ts'
import { sendPage } from '../page/send.ts'
import {
  type ConsentChange,
  changeByConsent,
  chooseLanguage,
  keepLeaveReason,
  type Receipt,
  type SubscriberKey,
} from './change.ts'
import { receiptOf } from './consent.ts'
import { gonePage, leavePage, leftPage, type Notice } from './leave.page.tsx'
import { leaveReasons, mayReturn } from './leave.ts'
import { findSubscriber, type SubscriberRow } from './queries.ts'

interface Found {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
}

/** The unsubscribe page. Its address works for ever, needs no signing in, and one press is enough. */
export function leaveRoutes({ db, now }: Context, newsletters: PublicNewsletters): Route[] {
  const find = async (request: FastifyRequest): Promise<Found | null> => {
    const { newsletterId, subscriberId } = request.params as { newsletterId: string; subscriberId: string }
    const newsletter = isUuid(subscriberId) ? await newsletters.find(newsletterId) : null
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
    const publicationId = publicationOf(request)
    const fields = fieldsOf(request.body)
    if (fields['List-Unsubscribe'] === 'One-Click') {
      if (found) await changeByConsent(db, 'unsubscribed', [{ ...change(found, 'leave', 'one-click'), publicationId }])
      return reply.type('text/plain; charset=utf-8').send('OK')
    }
    const notice = found ? await perform(found, fields) : null
    return reply.redirect(`${request.url.split('?')[0]}${queryOf(request, notice)}`, 303)

    function change(at: Found, act: 'leave' | 'return', means: Receipt['means']): ConsentChange {
      const network = networkOf(request.ip)
      return { ...keyOf(at), at: now(), receipt: receiptOf(act, { ...at, means, network }) }
    }

    async function perform(at: Found, asked: Record<string, unknown>): Promise<Notice> {
      const reason = leaveReasons.find((known) => known === asked.reason)
      if (asked.act === 'return') await changeByConsent(db, 'returned', [change(at, 'return', 'page')])
      else if (asked.act === 'language') await chooseLanguage(db, keyOf(at), languageOf(asked))
      else if (asked.act !== 'reason')
        await changeByConsent(db, 'unsubscribed', [{ ...change(at, 'leave', 'page'), publicationId }])
      else if (reason) await keepLeaveReason(db, keyOf(at), reason)
      return noticeAfter(asked.act, reason !== undefined)
    }
  }

  return [
    page('GET', '/unsub/:newsletterId/:subscriberId', show),
    page('POST', '/unsub/:newsletterId/:subscriberId', press, { bodyLimit: 16 * 1024 }),
  ]
}

function pageFor(found: Found | null, request: FastifyRequest, now: Date) {
  if (!found) return gonePage(pageLanguage(request, defaultLanguage))
  const { status } = found.subscriber
  const said = (request.query as { said?: unknown }).said
  const notice = notices.find((known) => known === said) ?? null
  if (status === 'pending' || status === 'active') return leavePage({ ...found, notice })
  return leftPage({ ...found, notice, mayReturn: mayReturn(found.subscriber, now) })
}

const keyOf = ({ newsletter, subscriber }: Found): SubscriberKey => ({
  newsletterId: newsletter.id,
  subscriberId: subscriber.id,
})

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
  if (isLanguage(lang)) query.set('lang', lang)
  if (typeof p === 'string') query.set('p', p)
  if (notice) query.set('said', notice)
  return query.size > 0 ? `?${query}` : ''
}

function publicationOf(request: FastifyRequest): string | null {
  const { p } = request.query as { p?: unknown }
  return typeof p === 'string' && /^\w{1,40}$/.test(p) ? p : null
}

const languageOf = (fields: Record<string, unknown>): Language =>
  isLanguage(fields.language) ? fields.language : defaultLanguage

const fieldsOf = (body: unknown) => (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>

const secretly = (reply: FastifyReply) =>
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex').header('cache-control', 'no-store')
