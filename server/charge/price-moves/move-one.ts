import { sql } from 'kysely'
import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { enqueue } from '../../jobs/queue.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { lockSubscriber } from '../../subscribers/queries.ts'
import type { Translate } from '../../translator.ts'
import { findRow } from '../card/act.ts'
import type { SubscriptionRow } from '../change.ts'
import { Currency } from '../currency.ts'
import { writtenSum } from '../money.ts'
import { applyAnswer } from '../payment-events/ask.ts'
import { findCharging } from '../payment-events/newsletter.ts'
import { findMailReader, type MailReader, renderReaderMail } from '../reader-mail.ts'
import { findConnected } from '../stripe/account.ts'
import { isGone } from '../stripe/client.ts'
import { priceAtStripe } from './at-stripe.ts'
import type { LeftOut } from './contract.ts'
import type { Moving, MovingKey } from './moving.ts'
import { firstPayment, mayRise } from './schedule.ts'

type Step = Pick<Context, 'db' | 'now' | 'config' | 'signer'>

/**
 * Locks one subscription of a move, in a state, until the transaction ends. Nobody stops the move meanwhile, and who has it in hand elsewhere keeps it:
 * then the answer is null.
 */
async function claim(
  tx: Db,
  { newsletterId, moveId, subscriptionId }: MovingKey,
  { state, stopped }: { state: 'waiting' | 'noticed'; stopped: boolean },
): Promise<Moving | null> {
  const { rows } = await sql<Moving>`
    select s.newsletter_id as "newsletterId", s.move_id as "moveId", s.subscription_id as "subscriptionId", s.from_price_id as "fromPriceId",
      s.from_amount as "fromAmount", s.price_id as "priceId", s.amount, s.noticed_at as "noticedAt", m.test
    from price_move_subscription s join price_move m on m.newsletter_id = s.newsletter_id and m.id = s.move_id
    where s.newsletter_id = ${newsletterId} and s.move_id = ${moveId} and s.subscription_id = ${subscriptionId}
      and s.state = ${state} and (m.stopped_at is not null) = ${stopped}
    for update of s skip locked for share of m`.execute(tx)
  const [row] = rows
  return row ? { ...row, fromAmount: Number(row.fromAmount), amount: Number(row.amount) } : null
}

type Decided =
  | { state: 'noticed'; noticed_at: Date; first_at: Date }
  | { state: 'moved' | 'kept' }
  | { state: 'left_out'; reason: LeftOut }

/** Notes what became of one, and what they pay from the next payment on: it shows on their own page and in the lists. */
async function decide(
  tx: Db,
  { newsletterId, moveId, subscriptionId, priceId }: Moving,
  { at, ...decided }: Decided & { at: Date },
) {
  await tx
    .updateTable('price_move_subscription')
    .set({ ...decided, decided_at: at })
    .where('newsletter_id', '=', newsletterId)
    .where('move_id', '=', moveId)
    .where('subscription_id', '=', subscriptionId)
    .execute()
  // It moves neither what may be read nor the recurring revenue, so it needs no `storeSubscription`.
  await tx
    .updateTable('subscription')
    .set({ next_price_id: decided.state === 'noticed' ? priceId : null })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriptionId)
    .execute()
}

/** Why somebody is left alone, as we know them; null when nothing speaks against moving them. */
function whyLeftOut(row: SubscriptionRow | undefined, moving: Moving): LeftOut | null {
  if (!row || row.status === 'ended' || !row.renews || !row.paid_until) return 'cancelled'
  if (row.price_id !== moving.fromPriceId || Number(row.amount) !== moving.fromAmount) return 'changed'
  if (row.status === 'paused') return 'paused'
  if (row.status === 'past_due') return 'failing'
  return Number(row.discount) > 0 || row.stripe_discounts.length > 0 ? 'coupon' : null
}

const rises = ({ fromAmount, amount }: Moving): boolean => amount > fromAmount

/** Tells who will pay more, or leaves somebody out. Who will pay less stays for `moveNow`. The mail is queued in the transaction that notes it. */
export const noticeOrMove = (context: Step, key: MovingKey): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const moving = await claim(tx, key, { state: 'waiting', stopped: false })
    if (!moving) return
    const row = await lockRow(tx, key)
    // Stripe may have said that it is done before a process that was killed could note it.
    if (!rises(moving) && row?.price_id === moving.priceId) return
    const reason = whyLeftOut(row, moving)
    const at = context.now()
    if (!row || reason) return decide(tx, moving, { state: 'left_out', reason: reason ?? 'cancelled', at })
    if (!rises(moving)) return
    const reader = await readerOf(tx, context, row)
    if (!reader || !row.paid_until) return decide(tx, moving, { state: 'left_out', reason: 'no_mail', at })
    const first_at = firstPayment(row.paid_until, row.period === 'year' ? 'year' : 'month', at)
    await tell(tx, context, { reader, row, moving, kind: 'rise', date: first_at })
    await decide(tx, moving, { state: 'noticed', noticed_at: at, first_at, at })
  })

/** Locked in the order in which `storeSubscription` locks: the subscriber, then what they bought. */
async function lockRow(tx: Db, key: MovingKey): Promise<SubscriptionRow | undefined> {
  const { newsletterId } = key
  const subscriberId = (await findRow(tx, key))?.subscriber_id
  if (subscriberId) await lockSubscriber(tx, { newsletterId, subscriberId })
  return findRow(tx, key)
}

const readerOf = (tx: Db, context: Step, { newsletter_id, subscriber_id, plan_id }: SubscriptionRow) =>
  findMailReader(tx, context, { newsletterId: newsletter_id, subscriberId: subscriber_id, planId: plan_id })

interface Telling {
  reader: MailReader
  row: SubscriptionRow
  moving: Moving
  kind: 'rise' | 'fall' | 'stays'
  date: Date
}

async function tell(tx: Db, context: Step, { reader, row, moving, kind, date }: Telling): Promise<void> {
  const sum = (t: Translate, amount: number) =>
    t(`plans.price.${row.period === 'year' ? 'year' : 'month'}`, {
      sum: writtenSum(amount, Currency.parse(row.currency), reader.language),
    })
  const mail = renderReaderMail(context, reader, (t, part, named) =>
    t(`chargeMail.price.${kind}.${part}`, {
      ...named,
      was: sum(t, moving.fromAmount),
      becomes: sum(t, moving.amount),
      date: dayIn(reader, date),
    }),
  )
  await enqueue(tx, 'send_mail', mail)
}

/** Who will pay less is moved at once, and told in the transaction that notes it. */
export const moveNow = (context: Context, key: MovingKey): Promise<void> =>
  move(context, key, {
    state: 'waiting',
    async moved(tx, { moving, row }) {
      const reader = await readerOf(tx, context, row)
      if (reader && row.paid_until) await tell(tx, context, { reader, row, moving, kind: 'fall', date: row.paid_until })
    },
  })

/** Who was told 30 days before their next payment is moved shortly before it. A mail that has bounced since then told them nothing. */
export const moveWhenDue = (context: Context, key: MovingKey): Promise<void> =>
  move(context, key, { state: 'noticed', moved: async () => undefined })

/** After a stop: who was told of the new price is told that they keep theirs. */
export const keepPrice = (context: Step, key: MovingKey): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const moving = await claim(tx, key, { state: 'noticed', stopped: true })
    if (!moving) return
    const row = await lockRow(tx, key)
    const reason = whyLeftOut(row, moving)
    const reader = row && reason === null ? await readerOf(tx, context, row) : null
    if (row?.paid_until && reader) await tell(tx, context, { reader, row, moving, kind: 'stays', date: row.paid_until })
    await decide(tx, moving, { state: 'kept', at: context.now() })
  })

interface Moved {
  moving: Moving
  row: SubscriptionRow
}

/**
 * Changes the price at Stripe and stores its answer, while the move cannot be stopped. When the process is killed after Stripe has done it, the
 * next one finds it done there.
 *
 * @throws Stripe's error while it is away
 */
const move = (
  context: Context,
  key: MovingKey,
  { state, moved }: { state: 'waiting' | 'noticed'; moved: (tx: Db, done: Moved) => Promise<void> },
): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const moving = await claim(tx, key, { state, stopped: false })
    const row = await findRow(tx, key)
    if (!moving || (state === 'waiting' && rises(moving))) return
    const newsletter = await findCharging(tx, key.newsletterId)
    const connected = await findConnected(context, key.newsletterId)
    // Of the other mode nothing can be asked. It goes on once the key is back.
    if (!newsletter || connected?.account.test !== moving.test) return
    const leave = (reason: LeftOut) => decide(tx, moving, { state: 'left_out', reason, at: context.now() })
    const isDone = row?.price_id === moving.priceId
    const reason = isDone ? null : whyLeftOut(row, moving)
    if (!row || reason) return leave(reason ?? 'cancelled')
    const { noticedAt } = moving
    if (noticedAt && !isDone) {
      if (!(await readerOf(tx, context, row))) return leave('no_mail')
      if (!row.paid_until || !mayRise(row.paid_until, { noticedAt, now: context.now() })) return
    }
    try {
      const became = await priceAtStripe(context, connected, { moving, stripeId: row.stripe_id ?? '' })
      if (became === 'not due') return
      if (typeof became === 'string') return leave(became)
      await applyAnswer({ db: context.db, now: context.now, newsletter }, became)
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError || isGone(error)) return leave('refused')
      throw error
    }
    await moved(tx, { moving, row })
    await decide(tx, moving, { state: 'moved', at: context.now() })
  })
