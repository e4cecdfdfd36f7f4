import { queryOptions } from '@tanstack/react-query'
import {
  listComparisons,
  listEvents,
  listFailures,
  stripeTasks,
} from '../../../server/charge/payment-events/contract.ts'
import { call } from '../../api.ts'
import { chargeKey } from '../queries.ts'

/** What every part of this page begins with, so that one act draws all of it anew. */
export const saidKey = (newsletterId: string) => [...chargeKey(newsletterId), 'said'] as const

export const tasksQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...saidKey(newsletterId), 'tasks'],
    queryFn: () => call(stripeTasks, { params: { newsletterId } }),
  })

export const failuresQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...saidKey(newsletterId), 'failures'],
    queryFn: async () => (await call(listFailures, { params: { newsletterId } })).rows,
  })

/** Fetched again while something waits that is applied by itself. */
export const eventsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...saidKey(newsletterId), 'events'],
    queryFn: () => call(listEvents, { params: { newsletterId } }),
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? 5_000 : false),
  })

/** Fetched again while one is under way. */
export const comparisonsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...saidKey(newsletterId), 'comparisons'],
    queryFn: async () => (await call(listComparisons, { params: { newsletterId } })).comparisons,
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'listing' || each.state === 'repairing') ? 2_000 : false,
  })
