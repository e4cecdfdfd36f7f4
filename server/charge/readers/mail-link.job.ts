import type { Context } from '../../context.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { findByAddress, findSubscriber, findSuppression } from '../../subscribers/queries.ts'
import { translator } from '../../translator.ts'
import { ReadLinks, readAddress } from './links.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /**
     * Who wants to read on another device: an address that anybody may have typed, or somebody with one of their mails. `to`: the slug of
     * what they were reading.
     */
    mail_read_link: { newsletterId: string; to: string | null } & ({ typed: string } | { subscriberId: string })
  }
}

/**
 * Mails a link that signs a subscriber in to read. Every request queues this job, so that the answer takes the same time for each
 * address. Whose mail bounced, and who marked it as spam, is not written to because somebody typed their address.
 */
export function mailReadLinkJob({ db, config, signer, now }: Context): Job<'mail_read_link'> {
  const links = new ReadLinks({ config, signer })
  return async ({ newsletterId, to, ...whose }, helpers) => {
    const newsletter = await findNewsletter(db, newsletterId)
    if (!newsletter) return
    const subscriber =
      'typed' in whose
        ? await findByAddress(db, newsletterId, whose.typed)
        : await findSubscriber(db, newsletterId, whose.subscriberId)
    if (!subscriber) return
    if (await findSuppression(db, newsletterId, subscriber.email_normalised)) return
    const address = readAddress(config, links.asked(subscriber, now())) + (to ? `?to=${encodeURIComponent(to)}` : '')
    const { language } = subscriber
    const t = translator(language)
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address,
      words: (part) => t(`readers.mail.${part}`, { newsletter: newsletter.name }),
    })
    const payload = { to: subscriber.email, newsletterId, subscriberId: subscriber.id, ...mail }
    await replaceJob(db, helpers, { name: 'send_mail', payload })
  }
}
