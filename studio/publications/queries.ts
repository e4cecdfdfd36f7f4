import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { getPublicationResult, listPublicationResults } from '../../server/analytics/contract.ts'
import { listFeedback } from '../../server/feedback/contract.ts'
import { listShortLinks } from '../../server/links/contract.ts'
import {
  checkPublication,
  getPublication,
  listPublications,
  listRevisions,
  type PublicationStatus,
  type PublicationSummary,
} from '../../server/publications/contract.ts'
import { type DeliveryState as DeliveryStates, listDeliveries } from '../../server/sending/contract.ts'
import { call } from '../api.ts'
import type { Tab } from '../sending/counts.ts'

export type Summary = z.infer<typeof PublicationSummary>
export type Status = z.infer<typeof PublicationStatus>
export type Result = z.infer<typeof getPublicationResult.reply>
export type DeliveryState = z.infer<typeof DeliveryStates>
export type Delivery = z.infer<typeof listDeliveries.reply>['rows'][number]

export type Feedback = z.infer<typeof listFeedback.reply>['rows'][number]
export type Check = z.infer<typeof checkPublication.reply>
export type Problem = Check['problems'][number]
export type FeedbackCounts = z.infer<typeof listFeedback.reply>['counts']

interface ListFilter {
  status?: Status | undefined
  channel?: 'web' | undefined
  search?: string
}

/** Keys begin with what the live line calls the figures, so that they are fresh when something changed. */
export const publicationsQuery = (newsletterId: string, filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [newsletterId, 'publications', 'list', filter],
    queryFn: ({ pageParam }) =>
      call(listPublications, {
        params: { newsletterId },
        query: {
          limit: 50,
          ...(filter.status && { status: filter.status }),
          ...(filter.channel && { channel: filter.channel }),
          ...(filter.search && { search: filter.search }),
          ...(pageParam && { cursor: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** What the publications of one page of the list led to: those that have left. */
export const resultsQuery = (newsletterId: string, rows: Summary[]) => {
  const ids = rows.filter(({ startedAt }) => startedAt !== null).map(({ id }) => id)
  return queryOptions({
    queryKey: [newsletterId, 'dashboard', 'results', ids],
    queryFn: () => call(listPublicationResults, { params: { newsletterId }, query: { ids: ids.join(',') } }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
}

/** The whole publication. Its key is not a live one: the editor is not overtaken by what it saves itself. */
export const publicationQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', publicationId],
    queryFn: () => call(getPublication, { params: { newsletterId, publicationId } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The same, followed live, for screens that only show. */
export const livePublicationQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publications', publicationId],
    queryFn: () => call(getPublication, { params: { newsletterId, publicationId } }),
  })

export const revisionsQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', publicationId, 'revisions'],
    queryFn: () => call(listRevisions, { params: { newsletterId, publicationId } }),
    staleTime: 0,
  })

export const checkQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', publicationId, 'check'],
    queryFn: () => call(checkPublication, { params: { newsletterId, publicationId } }),
    staleTime: 0,
  })

export const resultQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'dashboard', 'result', publicationId],
    queryFn: () => call(getPublicationResult, { params: { newsletterId, publicationId } }),
  })

/** Not a live key: a running press changes many times a second, and rows that jump cannot be read. */
export const deliveriesQuery = (
  newsletterId: string,
  publicationId: string,
  filter: { state?: Tab | undefined; search?: string | undefined },
) =>
  infiniteQueryOptions({
    queryKey: [newsletterId, 'delivery-list', publicationId, filter],
    queryFn: ({ pageParam, signal }) =>
      call(listDeliveries, {
        params: { newsletterId, publicationId },
        query: {
          limit: 50,
          ...(filter.state && { state: filter.state }),
          ...(filter.search && { search: filter.search }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** Below `deliveries`, since what comes back tells on the same line. */
export const feedbackQuery = (newsletterId: string, publicationId: string, kind: Feedback['kind'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [newsletterId, 'deliveries', publicationId, 'feedback', kind],
    queryFn: ({ pageParam }) =>
      call(listFeedback, {
        params: { newsletterId, publicationId },
        query: { limit: 6, ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** Links are made when the press begins, which is after it was told to: so they are asked for again with its state. */
export const linksQuery = (newsletterId: string, { id: publicationId, status }: Pick<Summary, 'id' | 'status'>) =>
  queryOptions({
    queryKey: [newsletterId, 'clicks', publicationId, status],
    queryFn: () => call(listShortLinks, { params: { newsletterId }, query: { publicationId, limit: 100 } }),
    refetchInterval: status === 'sending' && 5_000,
    placeholderData: keepPreviousData,
  })
