import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { findMailReader, renderReaderMail } from '../reader-mail.ts'

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
  subscriberId: string
  planId: number
  until: Date | null
}

/**
 * Tells a subscriber that a payment failed, with the way to their own page, where they put in another card. Nothing is said when it was
 * settled meanwhile, nor to whom no mail may go.
 */
export const mailPaymentFailureJob =
  (context: Context): Job<'mail_payment_failure'> =>
  async (asked, helpers) => {
    const { newsletterId, step } = asked
    const failing = await findFailing(context.db, asked)
    const reader = failing && (await findMailReader(context.db, context, { newsletterId, ...failing }))
    if (!reader) return
    const until = failing.until ? dayIn(reader, failing.until) : ''
    const payload = renderReaderMail(context, reader, (t, part, named) =>
      t(`failedPayment.${step}.${part}`, { ...named, until }),
    )
    await replaceJob(context.db, helpers, { name: 'send_mail', payload })
  }

/** Null when there is nothing to say any more. */
async function findFailing(db: Db, asked: Parameters<Job<'mail_payment_failure'>>[0]): Promise<Failing | null> {
  const invoiceId = asked.step === 'failed' ? asked.invoiceId : null
  const isOpen =
    asked.step === 'ended'
      ? sql`s.status = 'ended'`
      : sql`s.status <> 'ended' and f.invoice_id is not null and f.settled_at is null`
  const { rows } = await sql<Failing>`
    select s.subscriber_id as "subscriberId", s.plan_id as "planId", f.failed_at + make_interval(days => n.grace_days) as until
    from subscription s join newsletter n on n.id = s.newsletter_id
    left join payment_failure f on f.newsletter_id = s.newsletter_id and f.subscription_id = s.id and f.invoice_id = ${invoiceId}
    where s.newsletter_id = ${asked.newsletterId} and s.id = ${asked.subscriptionId} and s.subscriber_id is not null and ${isOpen}`.execute(
    db,
  )
  return rows[0] ?? null
}
