import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { enqueue, type Job } from '../../jobs/queue.ts'
import type { SubscriptionRow } from '../change.ts'
import { type Connected, findConnected } from './account.ts'
import { isGone } from './client.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** Of a newsletter that was deleted or restored. */
    hold_charges: { newsletterId: string }
    hold_charges_of_deleted: Record<string, unknown>
  }
}

type Live = Pick<SubscriptionRow, 'id' | 'stripe_id' | 'status' | 'paid_until' | 'resumes_at'>

/** In the metadata at Stripe: how the subscription was before its newsletter was deleted. */
const HELD = 'tirage_held'

/**
 * Sees to it that nobody pays for a newsletter that was deleted, and that who paid goes on when it is restored. Which of the two is read when
 * it runs, so that a job which comes late or twice does no harm. While Stripe is away it fails, and is tried again.
 */
export const holdChargesJob =
  (context: Context): Job<'hold_charges'> =>
  async ({ newsletterId }) => {
    const newsletter = await context.db
      .selectFrom('newsletter')
      .select('deleted_at')
      .where('id', '=', newsletterId)
      .executeTakeFirst()
    const connected = newsletter && (await findConnected(context, newsletterId))
    if (!connected) return
    for (const row of await findLive(context.db, connected))
      await (newsletter.deleted_at ? hold(connected, row) : letGo(connected, row, context.now())).catch(unlessGone)
  }

/** Runs daily, for what was bought when its newsletter was deleted already, and for what a job did not reach. */
export const holdChargesOfDeletedJob =
  ({ db }: Context): Job<'hold_charges_of_deleted'> =>
  async () => {
    const deleted = await db.selectFrom('newsletter').select('id').where('deleted_at', 'is not', null).execute()
    for (const { id } of deleted) await enqueue(db, 'hold_charges', { newsletterId: id })
  }

/**
 * Cancels what is still sold for a newsletter that is removed for good.
 *
 * @throws Stripe's error while it is away: then nothing may be removed yet
 */
export async function endChargesOf(context: Context, newsletterId: string): Promise<void> {
  const connected = await findConnected(context, newsletterId)
  if (!connected) return
  for (const { stripe_id } of await findLive(context.db, connected))
    try {
      await connected.stripe.subscriptions.cancel(stripe_id ?? '', {}, { idempotencyKey: `removed ${stripe_id}` })
    } catch (error) {
      // Without a key that Stripe knows nothing can be asked of it, ever. What is held is charged to nobody.
      if (isRefused(error)) return
      unlessGone(error)
    }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error
}

const findLive = (db: Db, { account }: Connected): Promise<Live[]> =>
  db
    .selectFrom('subscription')
    .select(['id', 'stripe_id', 'status', 'paid_until', 'resumes_at'])
    .where('newsletter_id', '=', account.newsletter_id)
    .where('test', '=', account.test)
    .where('status', '<>', 'ended')
    .where('stripe_id', 'like', 'sub\\_%')
    .orderBy('id')
    .execute()

/** Asks for no money until it is let go. A pause of the subscriber's own does not end meanwhile. */
async function hold({ stripe }: Connected, { stripe_id, status, resumes_at }: Live): Promise<void> {
  if (status === 'paused' && !resumes_at) return
  const id = stripe_id ?? ''
  const { metadata, pause_collection: pause, status: stated } = await stripe.subscriptions.retrieve(id)
  if (metadata[HELD] || stated === 'canceled') return
  const before = pause ? String(pause.resumes_at ?? 'paused') : 'charging'
  const held = { pause_collection: { behavior: 'void' }, metadata: { [HELD]: before } } as const
  await stripe.subscriptions.update(id, held, { idempotencyKey: randomUUID() })
}

/**
 * As it was before. Whose paid time is over begins a period that is charged now: Stripe has counted those that it left out as paid, and one
 * of a year would be given away.
 */
async function letGo({ stripe }: Connected, { id: ourId, stripe_id, paid_until }: Live, now: Date): Promise<void> {
  const id = stripe_id ?? ''
  const { metadata, status } = await stripe.subscriptions.retrieve(id)
  const before = metadata[HELD]
  if (!before || status === 'canceled') return
  const forgotten = { metadata: { [HELD]: '' } }
  const resumesAt = Number(before)
  if (before === 'paused' || resumesAt * 1000 > now.getTime()) {
    const pause = before === 'paused' ? {} : { resumes_at: resumesAt }
    const paused = { ...forgotten, pause_collection: { behavior: 'void', ...pause } } as const
    await stripe.subscriptions.update(id, paused, { idempotencyKey: randomUUID() })
    return
  }
  const isOver = status === 'active' && paid_until !== null && paid_until <= now
  const beginning = isOver ? ({ billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const) : {}
  const going = { ...forgotten, pause_collection: '', ...beginning } as const
  const idempotencyKey = isOver ? `resume ${ourId} ${paid_until.getTime()}` : randomUUID()
  await stripe.subscriptions.update(id, going, { idempotencyKey })
}
