import { queryOptions } from '@tanstack/react-query'
import { listRelays } from '../../server/relays/contract.ts'
import { call } from '../api.ts'

export type Relays = Awaited<ReturnType<typeof fetchRelays>>

const fetchRelays = (newsletterId: string) => call(listRelays, { params: { newsletterId } })

/** Fetched again every ten seconds, because usage and health change while mail is sent. */
export const relaysQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'relays'],
    queryFn: () => fetchRelays(newsletterId),
    refetchInterval: 10_000,
  })
