import { queryOptions } from '@tanstack/react-query'
import { listShortLinks } from '../../server/links/contract.ts'
import { call } from '../api.ts'

/** The last short links of the owner's own making. */
export const lastLinksQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'clicks', 'last'],
    queryFn: () => call(listShortLinks, { params: { newsletterId }, query: { own: 'true', limit: 5 } }),
  })
