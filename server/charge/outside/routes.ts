import type { FastifyRequest } from 'fastify'
import { unlessSame } from '../../audit/unless-same.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { MailPermissions } from '../../newsletters/mail-permission.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { readAddress } from '../../subscribers/address.ts'
import { AskInPlace } from '../../subscribers/ask-in-place.ts'
import { findByAddress, findSubscriber, findSuppression } from '../../subscribers/queries.ts'
import { SubscriptionRequests } from '../../subscribers/subscribe.ts'
import { takePlace } from '../plans/places.ts'
import { listPlans } from '../plans/plans.ts'
import * as contract from './contract.ts'
import { correct, enter, enterOnce, payAgain, refundOutside } from './enter.ts'
import { goesIn, type ReadLine, readOutsideFile } from './file.ts'
import { findSubscription, listPayments, listSubscriptions, overviewOf } from './list.ts'

/** Subscriptions that Stripe does not charge, and the books. */
export function outsideRoutes(context: WithRelays): Route[] {
  const { db, shownIds, now } = context
  const requests = new SubscriptionRequests(context)
  const asking = new AskInPlace(context, requests)
  const mailPermissions = new MailPermissions(context)
  /** Who is no subscriber yet is asked to become one. */
  const findOrAsk = async (
    newsletter: NewsletterRow,
    { planId, ...who }: Who & { planId: number },
  ): Promise<{ id: string; asked: boolean }> => {
    const known = await knownAs(newsletter, who)
    if (known && known.status !== 'campaign_only') return { id: known.id, asked: known.status === 'pending' }
    // Nobody is asked for a plan that cannot be entered.
    await takePlace(db, { newsletterId: newsletter.id, planId }, now())
    const { email = '', language } = { ...who, ...known }
    return { id: (await asking.ask({ ...who, newsletter, email, language, reads: true })).id, asked: true }
  }
  /** @throws AppError owner_unconfirmed, too_many_requests */
  const requireMayTell = async (newsletter: NewsletterRow, subscriberId: string) => {
    await mailPermissions.require(newsletter.id)
    const subscriber = await findSubscriber(db, newsletter.id, subscriberId)
    await requests.limits.ofApi({ newsletterId: newsletter.id, normalised: subscriber?.email_normalised ?? '' })
  }
  const isMailStopped = async (newsletter: NewsletterRow, subscriberId: string): Promise<boolean> => {
    const subscriber = await findSubscriber(db, newsletter.id, subscriberId)
    return subscriber !== null && (await findSuppression(db, newsletter.id, subscriber.email_normalised)) !== null
  }
  const knownAs = async (newsletter: NewsletterRow, { subscriberId, email = '' }: Who) => {
    if (subscriberId === undefined) {
      const address = readAddress(email)
      return address && (await findByAddress(db, newsletter.id, address.normalised))
    }
    const found = await findSubscriber(db, newsletter.id, shownIds.read(subscriberId))
    if (!found) throw new AppError('subscriber_not_found')
    return found
  }
  return [
    on(contract.listSubscriptions, ({ newsletterId, query: { subscriberId, ...query } }) =>
      listSubscriptions(context, newsletterId, { ...query, subscriberId: subscriberId && shownIds.read(subscriberId) }),
    ),
    on(contract.chargeOverview, ({ newsletterId }) => overviewOf(context, newsletterId, now())),
    on(contract.enterSubscription, async ({ newsletter, body, request }) => {
      const { subscriberId, email, name, language, ...entered } = body
      const { id, asked } = await findOrAsk(newsletter, {
        ...{ subscriberId, email, name, language, request },
        planId: entered.planId,
      })
      const mailStopped = await isMailStopped(newsletter, id)
      const tell = entered.tell && !asked && !mailStopped
      if (tell) await requireMayTell(newsletter, id)
      const subscriptionId = await enter(context, newsletter, { ...entered, tell, subscriberId: id })
      return { ...(await findSubscription(context, newsletter.id, subscriptionId)), mailStopped }
    }),
    on(contract.updateSubscription, async ({ newsletter, params: { subscriptionId }, body, auditLine }) => {
      const read = () => findSubscription(context, newsletter.id, subscriptionId)
      return unlessSame(auditLine, read, async () => {
        await correct(context, newsletter, { ...body, subscriptionId })
        return read()
      })
    }),
    on(contract.enterPayment, async ({ newsletter, params: { subscriptionId }, body }) => {
      await payAgain(context, newsletter, { ...body, subscriptionId })
      return findSubscription(context, newsletter.id, subscriptionId)
    }),
    on(contract.enterFile, async ({ newsletter, body: { csv, dryRun, from }, request, auditLine }) => {
      const plans = await listPlans(db, newsletter.id, { now: now() })
      const { lines: read, unknownColumns } = await readOutsideFile({ db, newsletter, plans, now: now() }, csv)
      const rest = read.filter(({ line }) => line >= from)
      const next = dryRun ? null : (rest.filter(goesIn)[contract.outsideFileLimits.atOnce]?.line ?? null)
      const lines = next === null ? rest : rest.filter(({ line }) => line < next)
      if (!dryRun) for (const line of lines) if (goesIn(line)) line.result = await enterLine(line, newsletter, request)
      const entered = lines.filter(goesIn).length
      auditLine?.note({ subscribers: entered })
      return {
        lines: lines.map(({ name: _, note: __, ...line }) => line),
        entered: dryRun ? 0 : entered,
        next,
        unknownColumns,
      }
    }),
    on(contract.listPayments, ({ newsletterId, query: { subscriberId, ...query } }) =>
      listPayments(context, newsletterId, { ...query, subscriberId: subscriberId && shownIds.read(subscriberId) }),
    ),
    on(contract.noteRefund, async ({ newsletterId, params: { paymentId }, body }) => {
      await refundOutside(db, { newsletterId, paymentId }, body)
      const { rows } = await listPayments(context, newsletterId, { paymentId, limit: 1 })
      if (!rows[0]) throw new AppError('payment_not_found')
      return rows[0]
    }),
  ]

  /** What became of a line. One that is refused changes nothing, and the others go on. */
  async function enterLine(line: ReadLine, newsletter: NewsletterRow, request: FastifyRequest) {
    const { result, planId, until, amount, currency, priceId } = line
    if (planId === null) return result
    try {
      const payment = amount && currency ? { amount, currency, means: 'other' as const, at: now().toISOString() } : null
      const who = { email: line.email, name: line.name || null, language: undefined, planId, request }
      const { id: subscriberId } = await findOrAsk(newsletter, who)
      const isEntered = await enterOnce(context, newsletter, {
        ...{ subscriberId, planId, until, tell: false, ifHeld: 'beside' },
        ...{ priceId, period: null, startsAt: null, note: line.note },
        ...{ way: payment ? 'outside' : 'complimentary', payment },
      })
      return isEntered ? result : 'there'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'too_many_requests') return 'ask_later'
      return error.code === 'plan_full' || error.code === 'plan_closed' ? 'plan_full' : 'refused'
    }
  }
}

interface Who {
  subscriberId?: string | undefined
  email?: string | undefined
  name: string | null
  language: 'en' | 'fr' | undefined
  request: FastifyRequest
}
