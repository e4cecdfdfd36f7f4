import type { Context } from '../../context.ts'
import { replaceJob } from '../../jobs/payloads.ts'
import type { Job } from '../../jobs/queue.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { findMailReader, renderReaderMail } from '../reader-mail.ts'
import { signInAddress } from '../readers/readers.page.tsx'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    mail_entered_subscription: { newsletterId: string; subscriptionId: string }
  }
}

/** Tells a subscriber that a plan was opened for them by hand: which one, until when, and how to read. */
export function mailEnteredJob({ db, config, signer }: Context): Job<'mail_entered_subscription'> {
  return async ({ newsletterId, subscriptionId }, helpers) => {
    const subscription = await db
      .selectFrom('subscription')
      .select(['subscriber_id', 'plan_id', 'way', 'paid_until', 'status'])
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', subscriptionId)
      .executeTakeFirst()
    if (!subscription || subscription.status === 'ended') return
    const { subscriber_id: subscriberId, plan_id: planId, way, paid_until: until } = subscription
    const reader = await findMailReader(db, { config, signer }, { newsletterId, subscriberId, planId })
    if (!reader) return
    const { newsletter, language } = reader
    const given = way === 'outside' ? 'paid' : 'given'
    const address = `${config.publicUrl}${signInAddress(newsletter, { lang: language })}`
    const mail = renderReaderMail({ config }, { ...reader, address }, (t, part, named) => {
      if (part === 'title') return t(`readers.entered.title.${given}`, named)
      if (part !== 'text') return t(`readers.entered.${part}`, named)
      const sentence = t(`readers.entered.text.${given}`, named)
      return until
        ? `${sentence} ${t('readers.entered.until', { date: dayIn({ newsletter, language }, until) })}`
        : sentence
    })
    await replaceJob(db, helpers, { name: 'send_mail', payload: mail })
  }
}
