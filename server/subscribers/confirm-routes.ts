import type { FastifyReply, FastifyRequest } from 'fastify'
import { countAsked } from '../campaigns/recommendations/asked.ts'
import type { Recommending } from '../campaigns/recommendations/recommended.ts'
import { countArrival } from '../campaigns/recommendations/remote/arrivals.ts'
import type { Context } from '../context.ts'
import { networkOf } from '../http/limits.ts'
import { page, type Route } from '../http/routes.ts'
import { textFields } from '../http/text-fields.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { chosenOr, pageLanguage } from '../page/language.ts'
import { sendPage } from '../page/send.ts'
import { confirmedPage, confirmPage, expiredPage } from './confirm.page.tsx'
import { confirm, confirmationState, isForAddress, openConfirmToken } from './confirm.ts'
import { receiptOf } from './consent.ts'
import { findSubscriber, wasAddedByHand } from './queries.ts'
import { keepAddressSecret } from './secret-address.ts'

/** Whether this browser is signed in as a member of the newsletter. */
export type IsMember = (request: FastifyRequest, newsletterId: string) => Promise<boolean>

/** Opening the link of a confirmation mail shows a button, and pressing it confirms: mail scanners open every link. */
export function confirmRoutes({ db, signer, now }: Context, recommending: Recommending, isMember: IsMember): Route[] {
  const find = async (request: FastifyRequest) => {
    const opened = openConfirmToken(signer, textFields(request.params).token ?? '')
    if (!opened) return null
    const newsletter = await findNewsletter(db, opened.newsletterId)
    if (!newsletter) return null
    const found = await findSubscriber(db, newsletter.id, opened.subscriberId)
    const subscriber = found && isForAddress(signer, opened, found) ? found : null
    const language = subscriber ? chosenOr(request, subscriber.language) : pageLanguage(request, newsletter.language)
    return { newsletter, subscriber, language }
  }

  const expired = (request: FastifyRequest, reply: FastifyReply, found: Awaited<ReturnType<typeof find>>) =>
    sendPage(reply, expiredPage(found?.newsletter ?? null, found?.language ?? request.language), {
      status: 410,
      cacheControl: 'no-store',
    })

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    const state = confirmationState(found?.subscriber ?? null, now())
    if (!found?.subscriber || state === 'expired') return expired(request, reply, found)
    const { newsletter, subscriber, language } = found
    const rendered =
      state === 'open'
        ? confirmPage(newsletter, subscriber, { language, isAdded: await wasAddedByHand(db, subscriber) })
        : confirmedPage(newsletter, subscriber, {
            language,
            recommended: await recommending.on(request, newsletter, subscriber),
            isMember: await isMember(request, newsletter.id),
          })
    return sendPage(reply, rendered, { cacheControl: 'no-store' })
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find(request)
    keepAddressSecret(reply)
    if (!found?.subscriber) return expired(request, reply, found)
    const { newsletter, subscriber, language } = found
    const receipt = receiptOf('yes', {
      newsletter,
      language,
      means: 'confirmation',
      proof: `signed link of the mail asked for at ${subscriber.asked_at.toISOString()}`,
      network: networkOf(request.ip),
    })
    const change = { newsletterId: newsletter.id, subscriberId: subscriber.id, at: now(), receipt }
    // An old link is no proof of today: only the press that confirms is.
    const isNew = confirmationState(subscriber, now()) === 'open'
    if ((await confirm(db, change)) === 'expired') return expired(request, reply, found)
    if (isNew) {
      await countArrival(db, change, change.at)
      await countAsked(db, change, change.at)
      await recommending.begin(reply, newsletter, { subscriber, proven: true })
    }
    // A GET shows the page of thanks, so that reloading it sends no form again.
    return reply.redirect(request.url, 303)
  }

  return [page('GET /confirm/:token', show), page('POST /confirm/:token', submit)]
}
