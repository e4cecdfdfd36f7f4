import type { z } from 'zod'
import type { Recommending } from '../campaigns/recommendations/recommended.ts'
import { madeAt } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { on, type Route } from '../http/routes.ts'
import type { ShownIds } from '../http/shown-ids.ts'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { eraseSubscriber } from '../personal-data/erase.ts'
import type { WithRelays } from '../relays/relays.ts'
import { tagsOf } from '../segments/tags.ts'
import { AskInPlace, inPlaceOf } from './ask-in-place.ts'
import { askerOf } from './asker.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { changeByConsent } from './change.ts'
import { confirmRoutes, type IsMember } from './confirm-routes.ts'
import { receiptOf } from './consent.ts'
import * as contract from './contract.ts'
import { listDeliveriesOf } from './detail/deliveries.ts'
import { editSubscriber } from './detail/edit.ts'
import { detailRoutes } from './detail/routes.ts'
import { getEmbed } from './embed/contract.ts'
import { embeddedForm } from './embed/form.ts'
import { exportRoutes } from './export-routes.ts'
import { dayInFile } from './import/proof.ts'
import { leaveRoutes } from './leave-routes.ts'
import { type ListedRow, listSubscribers } from './listing.ts'
import { askOwnPageRoutes } from './own-page/ask-routes.ts'
import { moveRoutes } from './own-page/move-routes.ts'
import { ownPageRoutes } from './own-page/routes.ts'
import * as queries from './queries.ts'
import { receiptRoutes } from './receipts/routes.ts'
import { orderOf, readCursor, writeCursor } from './sort.ts'
import { SubscriptionRequests } from './subscribe.ts'
import { subscribeRoutes } from './subscribe-routes.ts'
import { suppressionRoutes } from './suppression-routes.ts'
import { listSuppressionsOf } from './suppressions.ts'
import { wantedBy } from './wanted.ts'

interface Around {
  newsletters: PublicNewsletters
  recommending: Recommending
  isMember: IsMember
}

export function subscriberRoutes(context: WithRelays, { newsletters, recommending, isMember }: Around): Route[] {
  const requests = new SubscriptionRequests(context)
  return [
    ...subscribeRoutes(context, requests, newsletters),
    ...confirmRoutes(context, recommending, isMember),
    ...leaveRoutes(context, newsletters),
    ...ownPageRoutes(context, requests.limits, newsletters),
    ...moveRoutes(context),
    ...askOwnPageRoutes(context, requests.limits, newsletters),
    ...memberRoutes(context, requests),
    ...exportRoutes(context),
    ...suppressionRoutes(context),
    ...receiptRoutes(context),
    on(getEmbed, ({ newsletter, query }) => embeddedForm(context.config, newsletter, query.language)),
    ...bulkRoutes(context),
    ...detailRoutes(context),
  ]
}

/** What a newsletter's members see and do. */
function memberRoutes(context: WithRelays, requests: SubscriptionRequests): Route[] {
  const { db, now, shownIds } = context
  const asking = new AskInPlace(context, requests)
  return [
    on(contract.listSubscribers, async ({ newsletterId, query }) => {
      const { cursor, limit, sort, direction, ...filters } = query
      const order = orderOf(sort, direction)
      const after = cursor === undefined ? null : readCursor(cursor, order, shownIds)
      const wanted = await wantedBy(db, newsletterId, filters)
      const page = { order, after, limit }
      const { rows, ...counted } = await listSubscribers(db, newsletterId, { wanted, page })
      const last = rows.length === limit ? rows.at(-1) : undefined
      const next = last ? writeCursor(order, { value: last.sorted_by, id: last.id }, shownIds) : null
      return { rows: rows.map((row) => listed(shownIds, row)), next, ...counted }
    }),

    on(contract.listSources, async ({ newsletterId }) => ({ sources: await queries.listSources(db, newsletterId) })),

    on(contract.countSubscribers, async ({ newsletterId, query }) => ({
      total: await queries.countAll(db, newsletterId, await wantedBy(db, newsletterId, query)),
    })),

    on(contract.addSubscriber, async ({ newsletter, body: { email, name, language, words }, request }) =>
      shown(shownIds, await asking.ask({ newsletter, email, name, language, words, request })),
    ),

    on(contract.getSubscriber, async ({ newsletterId, params }) => {
      const subscriber = await queries.findSubscriber(db, newsletterId, shownIds.read(params.subscriberId))
      if (!subscriber) throw new AppError('subscriber_not_found')
      const [tags, receipts, deliveries, suppressions] = await Promise.all([
        tagsOf(db, { newsletterId, subscriberId: subscriber.id }),
        queries.listReceipts(db, newsletterId, subscriber.id),
        listDeliveriesOf(db, { newsletterId, subscriberId: subscriber.id }),
        listSuppressionsOf(db, subscriber),
      ])
      return {
        ...shown(shownIds, subscriber),
        tags,
        fields: shownFields(subscriber.fields),
        receipts: receipts.map(shownReceipt),
        deliveries: deliveries.map((row) => shownDelivery(shownIds, row)),
        suppressions: suppressions.map((row) => shownSuppression(shownIds, row)),
      }
    }),

    on(contract.updateSubscriber, async ({ newsletterId, params, body, request }) => {
      const key = { newsletterId, subscriberId: shownIds.read(params.subscriberId) }
      const { tags, fields } = await editSubscriber(db, key, { ...body, by: askerOf(request) })
      return { tags, fields: shownFields(fields) }
    }),

    on(contract.eraseSubscriber, async ({ newsletterId, params }) => {
      if (!(await eraseSubscriber(context, { newsletterId, subscriberId: shownIds.read(params.subscriberId) })))
        throw new AppError('subscriber_not_found')
      return { done: true as const }
    }),

    on(contract.unsubscribeSubscriber, async ({ newsletter, params, body, language, request }) => {
      const receipt = receiptOf('removed', { newsletter, language, words: body?.words, ...inPlaceOf(request) })
      const subscriberId = shownIds.read(params.subscriberId)
      const change = { newsletterId: newsletter.id, subscriberId, at: now(), receipt }
      await changeByConsent(db, 'unsubscribed', [change])
      const subscriber = await queries.findSubscriber(db, newsletter.id, subscriberId)
      if (!subscriber) throw new AppError('subscriber_not_found')
      return shown(shownIds, subscriber)
    }),
  ]
}

const shown = (shownIds: ShownIds, row: queries.SubscriberRow): z.input<typeof contract.Subscriber> => ({
  id: shownIds.show(row.id),
  email: row.email,
  name: row.name,
  language: row.language,
  status: row.status as z.input<typeof contract.SubscriberStatus>,
  source: row.source,
  createdAt: row.created_at.toISOString(),
  confirmedAt: row.confirmed_at?.toISOString() ?? null,
  leftAt: row.left_at?.toISOString() ?? null,
  leftReason: contract.leaveReasons.find((reason) => reason === row.left_reason) ?? null,
  pausedUntil: row.status === 'active' ? (row.paused_until?.toISOString() ?? null) : null,
  pace: row.pace,
})

const listed = (shownIds: ShownIds, row: ListedRow): z.input<typeof contract.ListedSubscriber> => {
  const times = [row.created_at, row.confirmed_at, row.left_at].map((at) => at?.getTime() ?? 0)
  return {
    ...shown(shownIds, row),
    addedAt: madeAt(row.id).toISOString(),
    changedAt: (row.changed_at ?? new Date(Math.max(...times))).toISOString(),
    tags: row.tags,
    fields: shownFields(row.fields),
  }
}

const shownFields = (stored: unknown): z.output<typeof contract.FieldValues> => contract.FieldValues.parse(stored ?? {})

const shownReceipt = (row: Awaited<ReturnType<typeof queries.listReceipts>>[number]) => ({
  act: row.act as 'asked' | 'given' | 'withdrawn',
  toCampaign: row.toCampaign,
  wording: row.wording,
  wordingVersion: row.wording_version,
  language: row.language,
  means: row.means,
  proof: row.proof,
  dated: dayInFile(row),
  beneficiary: row.beneficiary_name,
  network: row.network,
  position: row.position,
  at: row.at.toISOString(),
})

const shownDelivery = (shownIds: ShownIds, row: Awaited<ReturnType<typeof listDeliveriesOf>>[number]) => ({
  publicationId: row.publicationId,
  title: row.title,
  state: row.state,
  returned: row.returned,
  answer: row.answer && shownIds.hideIn(row.answer),
  at: row.at.toISOString(),
  openedAt: row.openedAt?.toISOString() ?? null,
  clicks: row.clicks ?? 0,
})

const shownSuppression = (shownIds: ShownIds, row: Awaited<ReturnType<typeof listSuppressionsOf>>[number]) => ({
  reason: row.reason,
  words: shownIds.hideIn(row.words),
  imported: row.imported,
  publicationTitle: row.publicationTitle,
  at: row.at.toISOString(),
  lifted:
    row.liftedAt && row.actor
      ? { at: row.liftedAt.toISOString(), actor: row.actor, name: row.name, reason: row.why ?? '' }
      : null,
})
