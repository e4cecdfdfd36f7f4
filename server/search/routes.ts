import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import { wholeAddress } from '../links/leads-to.ts'
import { listLinks } from '../links/queries.ts'
import { findByTitle } from '../publications/queries.ts'
import { listSubscribers } from '../subscribers/listing.ts'
import { orderOf } from '../subscribers/sort.ts'
import * as contract from './contract.ts'

const limit = contract.MOST_FOUND
const newest = { order: orderOf('newest', undefined), after: null, limit }

export function searchRoutes({ db, config, shownIds }: Context): Route[] {
  return [
    on(contract.search, async ({ newsletterId, query: { search }, may }) => {
      const [publications, subscribers, links] = await Promise.all([
        may('publications.read') ? findByTitle(db, newsletterId, { search, limit }) : [],
        may('subscribers.read')
          ? listSubscribers(db, newsletterId, { wanted: { search }, page: newest })
          : { rows: [] },
        may('links.read') ? listLinks(db, newsletterId, { search, own: true, limit }) : [],
      ])
      return {
        publications,
        subscribers: subscribers.rows.map(({ id, email, name, status }) => ({
          id: shownIds.show(id),
          email,
          name,
          status,
        })),
        links: links.map(({ id, name, target }) => ({ id, name, target: wholeAddress(config, target) })),
      }
    }),
  ]
}
