import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import { type Language, locales } from '../../languages.ts'
import { findDeletedNewsletter, findNewsletter } from '../../newsletters/membership.ts'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { findSubscriber, findSuppression } from '../../subscribers/queries.ts'
import { ownPageAddress, SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { translator } from '../../translator.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** Whose renewal failed, or has ended because nobody paid. */
    mail_payment_failure: { newsletterId: string; subscriptionId: string } & (
      | { step: 'failed'; invoiceId: string }
      | { step: 'ended' }
    )
  }
}

interface Failing {
  subscriber_id: string
  words: Record<string, { name: string } | undefined>
  until: Date | null
}

/**
 * Tells a subscriber that a payment failed, with the way to their own page, where they put in another card. Nothing is said when it was
 * settled meanwhile, nor to whom no mail may go.
 */
export function mailPaymentFailureJob({ db, config, signer }: Context): Job<'mail_payment_failure'> {
  const links = new SubscriberLinks(config.secret, signer)
  return async (asked, helpers) => {
    const { newsletterId, step } = asked
    const newsletter = (await findNewsletter(db, newsletterId)) ?? (await findDeletedNewsletter(db, newsletterId))
    const failing = newsletter && (await findFailing(db, asked))
    const subscriber = failing && (await findSubscriber(db, newsletterId, failing.subscriber_id))
    if (!newsletter || !failing || !subscriber) return
    if (await findSuppression(db, newsletterId, subscriber.email_normalised)) return
    const { language, id } = subscriber
    const address = ownPageAddress(config, links.standing({ newsletterId, subscriberId: id }))
    const t = translator(language)
    const plan = (failing.words[language] ?? Object.values(failing.words)[0])?.name ?? ''
    const until = failing.until ? written(failing.until, language, newsletter.timezone) : ''
    const mail = renderLinkMail(config, {
      newsletter,
      language,
      address,
      words: (part) => t(`failedPayment.${step}.${part}`, { newsletter: newsletter.name, plan, until }),
    })
    await replaceJob(db, helpers, { name: 'send_mail', payload: { to: subscriber.email, newsletterId, ...mail } })
  }
}

const written = (at: Date, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone }).format(at)

/** Null when there is nothing to say any more. */
async function findFailing(db: Db, asked: Parameters<Job<'mail_payment_failure'>>[0]): Promise<Failing | null> {
  const invoiceId = asked.step === 'failed' ? asked.invoiceId : null
  const isOpen =
    asked.step === 'ended'
      ? sql`s.status = 'ended'`
      : sql`s.status <> 'ended' and f.invoice_id is not null and f.settled_at is null`
  const { rows } = await sql<Failing>`
    select s.subscriber_id, p.words, f.failed_at + make_interval(days => n.grace_days) as until
    from subscription s join newsletter n on n.id = s.newsletter_id
    join plan p on p.newsletter_id = s.newsletter_id and p.id = s.plan_id
    left join payment_failure f on f.newsletter_id = s.newsletter_id and f.subscription_id = s.id and f.invoice_id = ${invoiceId}
    where s.newsletter_id = ${asked.newsletterId} and s.id = ${asked.subscriptionId} and s.subscriber_id is not null and ${isOpen}`.execute(
    db,
  )
  return rows[0] ?? null
}
