import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { Limit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { Caller } from '../http/scope.ts'
import * as contract from './contract.ts'
import { type Lifted, type Lifter, liftSuppressions } from './lift.ts'
import { findSubscriber, findSuppression } from './queries.ts'
import { suppressionGroups } from './suppressions.ts'

/** The way back for subscribers whom a bounce made inactive. */
export function suppressionRoutes({ db, shownIds }: Pick<Context, 'db' | 'shownIds'>): Route[] {
  const groupings = new Limit(120, 600)
  const restorations = new Limit(600, 600)
  // Each may write to every subscriber.
  const lifts = new Limit(60, 600)
  return [
    on(contract.listSuppressionGroups, async ({ newsletterId, query }) => {
      await groupings.take(newsletterId)
      const groups = await suppressionGroups(db, { newsletterId, atLeast: query.atLeast })
      return {
        groups: groups.map(({ answer, publicationId, publicationTitle, subscribers, from, to, gone }) => ({
          answer,
          publication: publicationId === null ? null : { id: publicationId, title: publicationTitle ?? '' },
          subscribers,
          from: from.toISOString(),
          to: to.toISOString(),
          gone,
        })),
      }
    }),

    on(contract.restoreSubscriber, async ({ newsletterId, params, body, request }) => {
      const subscriberId = shownIds.read(params.subscriberId)
      await restorations.take(newsletterId)
      const by = lifterOf(request.caller, body.reason)
      const lifted = await liftSuppressions(db, newsletterId, { which: { subscriberId }, by })
      if (countOf(lifted) === 0) await refuseComplained(newsletterId, subscriberId)
      return lifted
    }),

    on(contract.liftSuppressions, async ({ newsletterId, body, request }) => {
      const { answer, publicationId } = body
      await lifts.take(newsletterId)
      if (typeof publicationId === 'string') await requirePublication(newsletterId, publicationId)
      const ofPublication = publicationId === undefined ? {} : { publicationId }
      const by = lifterOf(request.caller, body.reason)
      if (answer !== undefined) return liftSuppressions(db, newsletterId, { which: { answer, ...ofPublication }, by })
      return liftSuppressions(db, newsletterId, { which: { publicationId: publicationId ?? '' }, by })
    }),
  ]

  async function refuseComplained(newsletterId: string, subscriberId: string): Promise<void> {
    const subscriber = await findSubscriber(db, newsletterId, subscriberId)
    if (!subscriber) throw new AppError('subscriber_not_found')
    const suppression = await findSuppression(db, newsletterId, subscriber.email_normalised)
    if (subscriber.status === 'complained' || suppression?.reason === 'complained')
      throw new AppError('subscriber_complained')
  }

  async function requirePublication(newsletterId: string, id: string): Promise<void> {
    const query = db.selectFrom('publication').select('id').where('newsletter_id', '=', newsletterId)
    if (!(await query.where('id', '=', id).executeTakeFirst())) throw new AppError('publication_not_found')
  }
}

const countOf = ({ restored, kept }: Lifted): number => restored + kept.unsubscribed

/** @throws AppError `invalid` for a reason that says nothing */
function lifterOf(caller: Caller | null, given: string): Lifter {
  const reason = given.replaceAll(/\p{Cc}+/gu, ' ').trim()
  if (reason === '') throw new AppError('invalid', { fields: { reason: 'required' } })
  return caller?.user ? { actor: 'member', userId: caller.user.id, reason } : { actor: 'api_key', reason }
}
