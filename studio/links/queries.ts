import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listShortLinks } from '../../server/links/contract.ts'
import { call } from '../api.ts'
import type { PublicationSummary } from '../publications/queries.ts'

const REFRESH_WHILE_SENDING_MS = 5_000

/**
 * The short links of a publication. They are made when its sending begins, which is a moment after the request to send:
 * so the key holds the status, and a change of status asks again.
 */
export const linksQuery = (
  newsletterId: string,
  { id: publicationId, status }: Pick<PublicationSummary, 'id' | 'status'>,
) =>
  queryOptions({
    queryKey: [newsletterId, 'clicks', publicationId, status],
    queryFn: () => call(listShortLinks, { params: { newsletterId }, query: { publicationId, limit: 100 } }),
    refetchInterval: status === 'sending' && REFRESH_WHILE_SENDING_MS,
    placeholderData: keepPreviousData,
  })
