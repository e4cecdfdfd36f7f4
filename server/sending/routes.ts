import { AppError } from '../errors.ts'
import { Limit, SharedLimit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import { requireSenders } from '../newsletters/sender-proof.ts'
import {
  cancelPublication,
  pausePublication,
  resumePublication,
  sendTest,
  trustRefusals,
} from '../publications/contract.ts'
import { presentSummary } from '../publications/present.ts'
import { findPublication } from '../publications/queries.ts'
import { noteSampleMailed, sampleId } from '../publications/sample.ts'
import type { WithRelays } from '../relays/relays.ts'
import { sendAgain } from './again.ts'
import {
  decideUncertainDeliveries,
  exportDeliveries,
  listDeliveries,
  listReasons,
  sendAgain as sendAgainEndpoint,
} from './contract.ts'
import { listDeliveryRows } from './delivery-list.ts'
import { streamDeliveries } from './export.ts'
import { changeSending } from './pause.ts'
import { findReasons } from './reasons.ts'
import { sendTestMail } from './test-mail.ts'
import { decideUncertain } from './uncertain.ts'

export function deliveryRoutes(context: WithRelays): Route[] {
  const { db, pool, shownIds } = context
  const tests = new SharedLimit(pool, { name: 'test mails', points: 30, seconds: 3600 })
  // These may read or write every delivery of a publication.
  const reasons = new Limit(60, 600)
  const decisions = new Limit(60, 600)
  const mailPermissions = new MailPermissions(context)
  const idsOf = ({ subscriberIds }: { subscriberIds?: string[] | undefined }) =>
    subscriberIds?.map((shown) => shownIds.read(shown))
  const acts = [
    [pausePublication, 'pause'],
    [resumePublication, 'resume'],
    [trustRefusals, 'trust'],
    [cancelPublication, 'cancel'],
  ] as const
  return [
    ...acts.map(([endpoint, act]) =>
      on(endpoint, async ({ newsletter, newsletterId, params, t }) => {
        const key = { newsletterId, publicationId: params.publicationId }
        return presentSummary(context.config, newsletter, await changeSending(db, key, { act, t }))
      }),
    ),
    on(listDeliveries, async ({ newsletterId, params, query }) => {
      await findPublication(db, newsletterId, params.publicationId)
      return listDeliveryRows(context, { newsletterId, publicationId: params.publicationId }, query)
    }),
    on(exportDeliveries, async ({ newsletterId, params, query, reply }) => {
      const { id, slug } = await findPublication(db, newsletterId, params.publicationId)
      reply.type('text/csv; charset=utf-8').header('cache-control', 'no-store')
      reply.header('content-disposition', `attachment; filename="deliveries-${slug ?? id}.csv"`)
      return streamDeliveries(context, { newsletterId, publicationId: id }, query)
    }),
    on(decideUncertainDeliveries, async ({ newsletterId, params, body, t }) => {
      await decisions.take(newsletterId)
      const key = { newsletterId, publicationId: params.publicationId }
      return { decided: await decideUncertain(db, key, { ...body, subscriberIds: idsOf(body), t }) }
    }),
    on(sendAgainEndpoint, async ({ newsletterId, params, body, t }) => {
      await decisions.take(newsletterId)
      const key = { newsletterId, publicationId: params.publicationId }
      return { queued: await sendAgain(db, key, { ...body, subscriberIds: idsOf(body), t }) }
    }),
    on(listReasons, async ({ newsletterId, params, query }) => {
      await findPublication(db, newsletterId, params.publicationId)
      await reasons.take(newsletterId)
      const found = await findReasons(db, { newsletterId, publicationId: params.publicationId }, query.state)
      return { rows: found.map((row) => ({ ...row, answer: shownIds.hideIn(row.answer) })) }
    }),
    on(sendTest, async ({ newsletter, params, body, request }) => {
      const to = body.to ?? [request.caller?.user?.email ?? '']
      if (to.includes('')) throw new AppError('invalid', { fields: { to: 'required' } })
      await mailPermissions.require(newsletter.id)
      await requireSenders(context, newsletter)
      await tests.take(newsletter.id)
      const { publicationId } = params
      const mailId = await sendTestMail(context, newsletter, { publicationId, addresses: to, reader: body.reader })
      if (publicationId === sampleId(newsletter.id)) await noteSampleMailed(db, newsletter.id)
      return { to, mailId }
    }),
  ]
}
