import type { Context } from '../../context.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import { findNewsletter } from '../../newsletters/membership.ts'
import { translator } from '../../translator.ts'
import { maskAddress, readAddress } from '../address.ts'
import { policyFor } from '../address-kind.ts'
import { renderLinkMail } from '../link.email.ts'
import { findSubscriber } from '../queries.ts'
import { canMove } from './move.ts'
import { MOVE_BACK_DAYS, MOVE_HOURS, MoveLinks, moveAddressOf } from './move-links.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** `ask`: a new address may confirm, if it can. `told`: the one before is told and may take it back. `back`: the new one is told that it was. */
    mail_move: { newsletterId: string; subscriberId: string; kind: 'ask' | 'told' | 'back'; to: string }
  }
}

/**
 * Mails what concerns a move to the address `to`. Every request queues an `ask`, so that the answer to it says nothing of the address; mail is
 * not sent to one that is subscribed, or to which mail was stopped.
 */
export function mailMoveJob({ db, config, signer, now }: Context): Job<'mail_move'> {
  const links = new MoveLinks(config.secret, signer)
  return async ({ newsletterId, subscriberId, kind, to }, helpers) => {
    const newsletter = await findNewsletter(db, newsletterId)
    const subscriber = newsletter && (await findSubscriber(db, newsletterId, subscriberId))
    const address = readAddress(to)
    if (!newsletter || !subscriber || !address) return
    if (kind === 'ask') {
      const move = { newsletterId, subscriberId, from: subscriber.email_normalised, to: address, kind: 'to' as const }
      if (policyFor(newsletter, address.normalised)?.policy === 'refuse' || !(await canMove(db, signer, move))) return
    }
    const { language } = subscriber
    const t = translator(language)
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      words: (part) =>
        t(`own.moveMail.${kind}.${part}`, {
          newsletter: newsletter.name,
          address: maskAddress(subscriber.email),
          count: kind === 'ask' ? MOVE_HOURS : MOVE_BACK_DAYS,
        }),
      address:
        kind === 'back'
          ? `${config.publicUrl}/subscribe/${nameInAddress(newsletter)}`
          : moveAddressOf(config, links.make(subscriber, { kind: kind === 'ask' ? 'to' : 'back', to, now: now() })),
    })
    await replaceJob(db, helpers, { name: 'send_mail', payload: { to, newsletterId, subscriberId, ...mail } })
  }
}
