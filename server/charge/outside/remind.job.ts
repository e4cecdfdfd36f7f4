import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { enqueue, type Job } from '../../jobs/queue.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import { findNewsletter } from '../../newsletters/membership.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { renderLinkMail } from '../../subscribers/link.email.ts'
import { findSubscriber, lockSubscriber } from '../../subscribers/queries.ts'
import { translator } from '../../translator.ts'
import { type SubscriptionRow, storeSubscription } from '../change.ts'
import { PlanWords, remindedWays } from '../plans/contract.ts'
import { wordsIn } from '../plans/offers.ts'
import { outsideWordsOf } from '../plans/settings.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    remind_of_ends: Record<string, unknown>
  }
}

const BATCH = 500

interface Due {
  newsletter_id: string
  id: string
  subscriber_id: string
  /** How many days before its end the reminder is meant for. */
  days: number
}

/**
 * The reminders that are due now: of subscriptions of the ways that an owner chose, that end, and go on by no other one. Of the days that an
 * owner chose the nearest one that has come counts, so that who is entered late hears of their end once. None is sent in the first half of what was
 * paid for or given: who paid a month ago for a month is not asked again the next day.
 */
const dueReminders = (db: Db, now: Date, narrowed: RawBuilder<unknown>) =>
  sql<Due>`
    select s.newsletter_id, s.id, s.subscriber_id, min(d.days) as days
    from subscription s
    join newsletter n on n.id = s.newsletter_id and n.deleted_at is null
    join subscriber r on r.newsletter_id = s.newsletter_id and r.id = s.subscriber_id and r.status not in ('pending', 'campaign_only')
    cross join lateral unnest(n.remind_days) as d (days)
    where s.status <> 'ended' and not s.renews and s.way = any(n.remind_ways) and s.status = 'active' and not s.test
      and s.paid_until > ${now} and s.paid_until <= ${now}::timestamptz + interval '90 days'
      and s.paid_until <= ${now}::timestamptz + d.days * interval '24 hours'
      and not exists (
        select from payment p where p.newsletter_id = s.newsletter_id and p.subscription_id = s.id and p.kind = 'payment'
          and p.period_until = s.paid_until and p.period_until - p.period_from < d.days * interval '48 hours')
      and (s.way = 'outside' or (r.status = 'active' and s.paid_until - s.started_at >= d.days * interval '48 hours'))
      and not exists (
        select from entitlement e where e.newsletter_id = s.newsletter_id and e.subscriber_id = s.subscriber_id
          and e.plan_id = s.plan_id and e.until > s.paid_until)
      and not exists (
        select from suppression x where x.newsletter_id = r.newsletter_id and x.email_normalised = r.email_normalised)
      ${narrowed}
    group by s.newsletter_id, s.id, s.subscriber_id, s.paid_until, s.reminded_for, s.reminded_days
    having s.reminded_for is distinct from s.paid_until or min(d.days) < coalesce(s.reminded_days, 0)
    order by s.paid_until limit ${BATCH}`.execute(db)

type Reminding = Pick<Context, 'config' | 'db' | 'now'>

/** Reminds subscribers of the end of what they paid outside or were given, and how to go on. */
export const remindOfEndsJob =
  (context: Reminding): Job<'remind_of_ends'> =>
  async () => {
    let found: Due[]
    do {
      found = (await dueReminders(context.db, context.now(), sql``)).rows
      for (const one of found) await remind(context, one)
    } while (found.length === BATCH)
  }

/**
 * The mail is queued in the transaction that notes for which end it is, under the lock of its subscriber: so there is one for each end,
 * whoever else reminds at the same time, and wherever this process is killed.
 */
const remind = (
  context: Reminding,
  { newsletter_id: newsletterId, subscriber_id: subscriberId, id }: Due,
): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    await lockSubscriber(tx, { newsletterId, subscriberId })
    const at = context.now()
    const [due] = (await dueReminders(tx, at, sql`and s.newsletter_id = ${newsletterId} and s.id = ${id}`)).rows
    const newsletter = due && (await findNewsletter(tx, newsletterId))
    if (!newsletter) return
    const subscription = await tx
      .selectFrom('subscription')
      .selectAll()
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await mail(tx, context, { newsletter, subscription, subscriberId })
    const reminded = { reminded_for: subscription.paid_until, reminded_days: due.days, at }
    await storeSubscription(tx, newsletter, { ...subscription, ...reminded })
  })

interface Reminder {
  newsletter: NewsletterRow
  subscription: SubscriptionRow
  subscriberId: string
}

async function mail(tx: Db, { config }: Reminding, { newsletter, subscription, subscriberId }: Reminder) {
  const subscriber = await findSubscriber(tx, newsletter.id, subscriberId)
  const { words } = await tx
    .selectFrom('plan')
    .select('words')
    .where('newsletter_id', '=', newsletter.id)
    .where('id', '=', subscription.plan_id)
    .executeTakeFirstOrThrow()
  if (!subscriber || !subscription.paid_until) return
  const { language } = subscriber
  const t = translator(language)
  const values = {
    newsletter: newsletter.name,
    plan: wordsIn(PlanWords.parse(words), language).name,
    date: dayIn({ newsletter, language }, subscription.paid_until),
  }
  const how = outsideWordsOf(newsletter, language)
  const way = remindedWays.find((one) => one === subscription.way) ?? 'outside'
  const rendered = renderLinkMail(config, {
    newsletter,
    language,
    address: `${config.publicUrl}/plans/${nameInAddress(newsletter)}?lang=${language}`,
    words: (part) =>
      part === 'text' || part === 'after'
        ? t(`readers.ending.${part}.${way}`, values)
        : t(`readers.ending.${part}`, values),
    more: [
      ...(how.length > 0 ? [t('readers.ending.how'), ...how] : [t('readers.ending.answer')]),
      ...(newsletter.card_test ? [t('readers.ending.test')] : []),
    ],
  })
  const whom = { to: subscriber.email, newsletterId: newsletter.id, subscriberId: subscriber.id }
  await enqueue(tx, 'send_mail', { ...whom, ...rendered })
}
