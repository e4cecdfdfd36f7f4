import { queryOptions } from '@tanstack/react-query'
import { readConnection } from '../../../server/charge/stripe/contract.ts'
import { call } from '../../api.ts'

/** Fetched again every twenty seconds, until the first event has come. */
export const connectionQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'charge', 'stripe'],
    queryFn: () => call(readConnection, { params: { newsletterId } }),
    refetchInterval: ({ state }) => (state.data?.connection && !state.data.connection.lastEventAt ? 20_000 : false),
  })
