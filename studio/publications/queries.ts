import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  checkPublication,
  getPublication,
  listDeleted,
  listPublications,
  listRevisions,
  type Publication as PublicationShape,
  readSlots,
  type PublicationStatus as StatusShape,
  type PublicationSummary as SummaryShape,
  tryAddresses,
} from '../../server/publications/contract.ts'
import type { AudienceChoice } from '../../server/segments/contract.ts'
import { call } from '../api.ts'
import { hasFailed } from '../has-failed.ts'
import { sponsorshipKey } from '../sponsorship/queries.ts'

export type Publication = z.infer<typeof PublicationShape>
export type PublicationSummary = z.infer<typeof SummaryShape>
export type PublicationStatus = z.infer<typeof StatusShape>
export type PreFlightReport = z.infer<typeof checkPublication.reply>
export type Problem = PreFlightReport['problems'][number]

export type Reach = z.infer<typeof tryAddresses.reply>
export type TriedLink = Reach['links'][number]

export type PublicationSlots = z.infer<typeof readSlots.reply>

interface ListFilter {
  status?: PublicationStatus | undefined
  channel?: PublicationSummary['channel'] | undefined
  caught?: boolean | undefined
  missed?: boolean | undefined
  offWeb?: boolean | undefined
  search?: string
}

/** Keys begin with the words that the live stream uses for what changed, so that a change refreshes the list. */
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
          ...(filter.caught !== undefined && { caught: String(filter.caught) }),
          ...(filter.missed !== undefined && { missed: String(filter.missed) }),
          ...(filter.offWeb !== undefined && { offWeb: String(filter.offWeb) }),
          ...(filter.search && { search: filter.search }),
          ...(pageParam && { cursor: pageParam }),
          retrying: 'sent',
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export type DeletedPublication = z.infer<typeof listDeleted.reply>['rows'][number]

/** What was deleted and can be restored. Only for members who may restore it. */
export const deletedQuery = (newsletterId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [newsletterId, 'publications', 'deleted', search],
    queryFn: ({ pageParam }) =>
      call(listDeleted, {
        params: { newsletterId },
        query: { limit: 50, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** The whole publication. Its key is not a live one: a save of the editor's own must not reload the editor. */
export const publicationQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', publicationId],
    queryFn: () => call(getPublication, { params: { newsletterId, publicationId } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: hasFailed,
  })

/** The same, refreshed by the live stream, for screens that only show it. */
export const livePublicationQuery = (newsletterId: string, publicationId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'publications', publicationId],
    queryFn: () => call(getPublication, { params: { newsletterId, publicationId } }),
  })

/** The saved versions, with what `save` saves first. */
export const revisionsQuery = (newsletterId: string, publicationId: string, save: () => Promise<void>) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', publicationId, 'revisions'],
    queryFn: async () => {
      await save()
      return call(listRevisions, { params: { newsletterId, publicationId } })
    },
    // An older list would move under the finger when the new one comes.
    gcTime: 0,
    staleTime: 0,
  })

/** Of a sending to an audience. The key without one is the beginning of all. */
export const preFlightQuery = (
  newsletterId: string,
  publicationId: string,
  plan?: { audience: AudienceChoice; channel: 'everywhere' | 'web' },
) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', publicationId, 'check', ...(plan ? [plan] : [])],
    queryFn: () =>
      call(checkPublication, {
        params: { newsletterId, publicationId },
        query: {
          ...(plan?.audience.kind === 'segment' && { segmentId: plan.audience.segmentId }),
          ...(plan?.audience.kind === 'plan' && { plan: plan.audience.plan }),
          ...(plan && { channel: plan.channel }),
        },
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Where the links of a revision lead. Other servers are asked, so only when somebody wants it again. */
export const reachQuery = (newsletterId: string, { id, revision }: Publication) =>
  queryOptions({
    queryKey: [newsletterId, 'publication', id, 'reach', revision],
    queryFn: () => call(tryAddresses, { params: { newsletterId, publicationId: id } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: hasFailed,
  })

/** The beginning of the keys of `slotsQuery`. */
export const slotsKey = (newsletterId: string, publicationId: string) => [
  ...sponsorshipKey(newsletterId),
  'slots',
  publicationId,
]

/** What its sponsor slots carry when it goes out: at a time, else when it is scheduled, or now. */
export const slotsQuery = (
  newsletterId: string,
  publicationId: string,
  when: { at?: string; channel?: 'everywhere' | 'web' } = {},
) =>
  queryOptions({
    queryKey: [...slotsKey(newsletterId, publicationId), when],
    queryFn: () => call(readSlots, { params: { newsletterId, publicationId }, query: when }),
    placeholderData: keepPreviousData,
  })
