import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { z } from 'zod'
import { listDeliveries } from '../../server/sending/contract.ts'
import { call } from '../api.ts'
import type { Tab } from './delivery-states.ts'

export type Delivery = z.infer<typeof listDeliveries.reply>['rows'][number]

export interface DeliveryFilter {
  state?: Tab | undefined
  /** A part of an address. */
  search?: string | undefined
}

/** Not a live key: a running sending changes many times a second, and nobody can read rows that jump. */
export const deliveriesQuery = (newsletterId: string, publicationId: string, filter: DeliveryFilter) =>
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
