import type { Context } from '../../context.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import { findDeletedNewsletter, findNewsletter } from '../../newsletters/membership.ts'
import { translator } from '../../translator.ts'
import { renderLinkMail } from '../link.email.ts'
import { findByAddress, findSubscriber, findSuppression } from '../queries.ts'
import { ownPageAddress, SubscriberLinks } from '../subscriber-links.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** Whose own page is asked for: by an address that anybody may have typed, or by somebody with one of their mails. */
    mail_own_page: { newsletterId: string } & ({ typed: string } | { subscriberId: string })
  }
}

/**
 * Mails a fresh link to the subscriber, if there is one. Every request queues this job, so that the answer to a request takes the same
 * time for each address. Whose mail bounced, and who marked it as spam, is not written to because somebody typed their address.
 */
export function mailOwnPageJob({ db, config, signer, now }: Context): Job<'mail_own_page'> {
  const links = new SubscriberLinks(config.secret, signer)
  return async ({ newsletterId, ...whose }, helpers) => {
    const newsletter = (await findNewsletter(db, newsletterId)) ?? (await findDeletedNewsletter(db, newsletterId))
    if (!newsletter) return
    const subscriber =
      'typed' in whose
        ? await findByAddress(db, newsletterId, whose.typed)
        : await findSubscriber(db, newsletterId, whose.subscriberId)
    if (!subscriber) return
    if ('typed' in whose && (await findSuppression(db, newsletterId, whose.typed))) return
    const address = ownPageAddress(config, links.fresh(subscriber, now()))
    const { language } = subscriber
    const t = translator(language)
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address,
      words: (part) => t(`own.mail.${part}`, { newsletter: newsletter.name }),
    })
    const payload = { to: subscriber.email, newsletterId, subscriberId: subscriber.id, ...mail }
    await replaceJob(db, helpers, { name: 'send_mail', payload })
  }
}
