import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { networkOf } from '../../http/limits.ts'
import { page, type Route } from '../../http/routes.ts'
import { textFields } from '../../http/text-fields.ts'
import { defaultLanguage } from '../../languages.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { chosenOr, pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import { readAddress } from '../address.ts'
import { receiptOf } from '../consent.ts'
import { findSubscriber } from '../queries.ts'
import { keepAddressSecret } from '../secret-address.ts'
import { endedMovePage, movedPage, movePage } from './move.page.tsx'
import { moveSubscriber } from './move.ts'
import { MoveLinks } from './move-links.ts'

/** Where a new address confirms, and the one before takes it back. Opening changes nothing, for scanners of mail follow every link. */
export function moveRoutes({ config, db, signer, now }: Context): Route[] {
  const links = new MoveLinks(config.secret, signer)

  const find = async (request: FastifyRequest) => {
    const move = links.read(textFields(request.params).token ?? '')
    const newsletter = move && (await findNewsletter(db, move.newsletterId))
    const subscriber = newsletter && (await findSubscriber(db, newsletter.id, move.subscriberId))
    const to = move && readAddress(move.to)
    if (!subscriber || !to || !links.proves(move, subscriber, now())) return null
    return { newsletter, subscriber, to, kind: move.kind, language: chosenOr(request, subscriber.language) }
  }

  const ended = (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply, endedMovePage(pageLanguage(request, defaultLanguage)), { status: 410, cacheControl: 'no-store' })

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    return found ? sendPage(reply, movePage(found), { cacheControl: 'no-store' }) : ended(request, reply)
  }

  const submit = async (request: FastifyRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found) return ended(request, reply)
    const { newsletter, subscriber, to, kind, language } = found
    const key = { newsletterId: newsletter.id, subscriberId: subscriber.id }
    const receipt = receiptOf(kind === 'to' ? 'moved' : 'movedBack', {
      newsletter,
      language,
      means: 'confirmation',
      proof: `signed link of the mail to the ${kind === 'to' ? 'new' : 'earlier'} address`,
      network: networkOf(request.ip),
    })
    const told = { ...key, kind: kind === 'to' ? ('told' as const) : ('back' as const), to: subscriber.email }
    const move = { ...key, from: subscriber.email_normalised, to, kind, at: now(), receipt, told }
    const moved = await moveSubscriber(db, signer, move)
    return moved ? sendPage(reply, movedPage(found), { cacheControl: 'no-store' }) : ended(request, reply)
  }

  return [page('GET /move/:token', show), page('POST /move/:token', submit)]
}
