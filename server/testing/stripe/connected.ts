import { addPaidPlan } from '../charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../newsletter.ts'
import { connectAccount, type StripeHistory, startHistory } from './history.ts'

/** A newsletter that is connected with an account at the stand-in, and sells a plan by the month. */
export interface ConnectedNewsletter {
  server: TestNewsletter
  history: StripeHistory
  plan: { planId: number; priceId: number }
  stop(): Promise<void>
}

/** @param clock `Stripe's`: the newsletter has its time, so that days which pass there pass here */
export async function startConnectedNewsletter({
  clock = 'its own',
  env = {},
  daysAgo = 0,
}: {
  clock?: 'its own' | "Stripe's"
  /** Since when Stripe's time begins, so that days which pass end today. */
  daysAgo?: number
  env?: Record<string, string>
} = {}): Promise<ConnectedNewsletter> {
  const history = await startHistory(() => new Date(Date.now() - daysAgo * 86_400_000))
  const now = clock === 'its own' ? undefined : () => history.stripe.now()
  const server = await startTestNewsletter({ STRIPE_API: history.stripe.url, ...env }, now)
  const { db } = server.context
  await connectAccount(server.context, server.newsletterId, history.account.key)
  const planId = await addPaidPlan(db, server.newsletterId)
  const monthly = db.selectFrom('price').select('id').where('plan_id', '=', planId).where('period', '=', 'month')
  const { id: priceId } = await monthly.executeTakeFirstOrThrow()
  return {
    server,
    history,
    plan: { planId, priceId },
    async stop() {
      history.stop()
      await server.stop()
    },
  }
}
