import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { pageLanguage } from '../page/language.ts'
import { sendPage } from '../page/send.ts'
import { confirmedPage, confirmPage, expiredPage } from './confirm.page.tsx'
import { confirm, confirmationState, openConfirmToken } from './confirm.ts'
import { receiptOf } from './consent.ts'
import { findSubscriber } from './queries.ts'

/** Opening the link of a confirmation mail shows a button; pressing it confirms. Mail scanners open every link. */
export function confirmRoutes({ db, signer, now }: Context): Route[] {
  const find = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string }
    const opened = openConfirmToken(signer, token)
    if (!opened) return null
    const newsletter = await findNewsletter(db, opened.newsletterId)
    if (!newsletter) return null
    const subscriber = await findSubscriber(db, newsletter.id, opened.subscriberId)
    const language = pageLanguage(request, subscriber?.language ?? newsletter.language)
    return { newsletter, subscriber, language }
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    secret(reply)
    const found = await find(request)
    const state = confirmationState(found?.subscriber ?? null, now())
    if (!found?.subscriber || state === 'expired') {
      const gone = expiredPage(found?.newsletter ?? null, found?.language ?? request.language)
      return sendPage(request, reply, gone, { status: 410, cacheControl: 'no-store' })
    }
    const { newsletter, subscriber, language } = found
    const shown = state === 'open' ? confirmPage : confirmedPage
    return sendPage(request, reply, shown(newsletter, subscriber, language), { cacheControl: 'no-store' })
  }

  const press = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find(request)
    if (found?.subscriber) {
      const { newsletter, subscriber, language } = found
      const key = { newsletterId: newsletter.id, subscriberId: subscriber.id }
      const network = networkOf(request.ip)
      await confirm(db, key, receiptOf('yes', { newsletter, language, means: 'confirmation', network }), now())
    }
    // Shown by a GET, so that reloading the page of thanks asks nothing again.
    return secret(reply).redirect(request.url, 303)
  }

  return [page('GET', '/confirm/:token', show), page('POST', '/confirm/:token', press)]
}

/** The address itself is the key: it is kept nowhere and handed to nobody. */
const secret = (reply: FastifyReply) =>
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex').header('cache-control', 'no-store')
